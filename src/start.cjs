// Kept apart from the launcher so that an old Node never has to parse `import()`.
'use strict';
const module_ = require('node:module');
const { homedir } = require('node:os');
const { join } = require('node:path');

// From Node 22 on compiled code is kept between starts, in the data folder and nowhere else.
const env = process.env;
const data =
  env.VECTORLESS_LOCAL_DIR ||
  (process.platform === 'win32'
    ? join(env.LOCALAPPDATA || join(homedir(), 'AppData', 'Local'), 'vectorless')
    : process.platform === 'darwin'
      ? join(homedir(), 'Library', 'Application Support', 'vectorless')
      : join(env.XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'vectorless'));
if (module_.enableCompileCache !== undefined && !env.NODE_COMPILE_CACHE)
  module_.enableCompileCache(join(data, 'compiled'));

import('./index.js');
