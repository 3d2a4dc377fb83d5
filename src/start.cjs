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
  // A placeholder that no client expanded would be taken for a folder in the working one.
  if (isAbsolute(env.VECTORLESS_LOCAL_DIR ?? '')) return env.VECTORLESS_LOCAL_DIR;
  try {
    if (process.platform === 'win32')
      return join(env.LOCALAPPDATA || join(homedir(), 'AppData', 'Local'), 'vectorless');
    if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'vectorless');
    return join(env.XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'vectorless');
  } catch {
    return undefined; // the user has no home folder
  }
}
