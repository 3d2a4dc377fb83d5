#!/usr/bin/env node
// Runs on any Node from 12 on, far enough to say that it is too old. Clients pick the Node they find first.
'use strict';
var found = process.versions.node.split('.').map(Number);
if (found[0] < 20 || (found[0] === 20 && found[1] < 19)) {
  process.stderr.write(
    'vectorless-mcp needs Node 20.19 or newer; this is Node ' +
      process.versions.node +
      ' at ' +
      process.execPath +
      '. Install a newer one, or give its full path as "command" in your client\'s configuration.\n',
  );
  process.exit(1);
} else {
  require('./start.cjs');
}
