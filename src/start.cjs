// Kept apart from the launcher so that an old Node never has to parse `import()`.
'use strict';
const module_ = require('node:module');
const { homedir } = require('node:os');
const { isAbsolute, join } = require('node:path');

// From Node 22 on compiled code is kept between starts, in the data folder and nowhere else. Where there is no such
// folder, or it cannot be written to, every start compiles.
if (module_.enableCompileCache !== undefined && !process.env.NODE_COMPILE_CACHE) {
  const folder = dataFolder(process.env);
  if (folder !== undefined) module_.enableCompileCache(join(folder, 'compiled'));
}

import('./index.js');

function dataFolder(env) {
  try {
    // A placeholder that no client expanded would be taken for a folder in the working one.
    const own = (env.VECTORLESS_LOCAL_DIR || '').replace(/^~(?=[\\/]|$)/, homedir);
    if (isAbsolute(own)) return own;
    if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'vectorless');
    const isWindows = process.platform === 'win32';
    const set = (isWindows ? env.LOCALAPPDATA : env.XDG_DATA_HOME) || '';
    const usual = isWindows ? join(homedir(), 'AppData', 'Local') : join(homedir(), '.local', 'share');
    return join(isAbsolute(set) ? set : usual, 'vectorless');
  } catch {
    return undefined; // the user has no home folder
  }
}
