import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Builds `dist/` once before the suite: the integration tests and the engine's worker run the built files. */
export function setup(): void {
  execFileSync(process.execPath, [fileURLToPath(new URL('../../scripts/build.mjs', import.meta.url))], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
