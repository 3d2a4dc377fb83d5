// Entry of the desktop bundle. The folders that were picked come as arguments, since only there can a client put a list.
'use strict';
var path = require('node:path');
// What the client did not fill in stays as it was written in the manifest.
var folders = process.argv.slice(2).filter((folder) => path.isAbsolute(folder));
if (folders.length > 0) process.env.VECTORLESS_ALLOWED_DIRS = folders.join(path.delimiter);
process.argv.length = 2;
require('./vectorless-mcp.cjs');
