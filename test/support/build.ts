import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Builds `dist/` once before the suite: the integration tests and the engine's worker run the built files. */
export function setup(): void {
  execFileSync(process.execPath, [fileURLToPath(new URL('../../scripts/build.mjs', import.meta.url))], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  // The report names no test that was skipped.
  const documents = fileURLToPath(new URL('../../../shared/data', import.meta.url));
  if (!existsSync(documents))
    process.stdout.write(`Tests with real documents are skipped: ${documents} is not there.\n`);
  if (process.env.VECTORLESS_CONTRACT_URL === undefined)
    process.stdout.write('Tests of a live server are skipped: VECTORLESS_CONTRACT_URL is not set.\n');
}
