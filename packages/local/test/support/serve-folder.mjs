// An engine on a folder that is asked something now and then, as a server's is, until it is killed.
// usage: node serve-folder.mjs FOLDER
import { createLocalEngine } from '../../../../dist/local.js';

const engine = createLocalEngine({
  dir: process.argv[2],
  onWarning: (message) => process.stderr.write(message),
});
setInterval(() => engine.fetch(new Request('http://local/v1/health')), 50);
