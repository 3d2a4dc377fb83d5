import { readdirSync, statSync } from 'node:fs';
import { errorCode } from './errors.ts';

/** File systems that keep times to the second (or two) cannot tell two changes within it apart. */
const CLOCK_GRAIN_MS = 2_500;

/** Lists a folder again only when it may have changed; `undefined` means that it has not. */
export function createListing(folder: string): () => string[] | undefined {
  let seen: bigint | undefined;
  let settled = false;
  return () => {
    try {
      const { mtimeNs } = statSync(folder, { bigint: true });
      if (mtimeNs === seen && settled) return undefined;
      const names = readdirSync(folder);
      seen = mtimeNs;
      settled = Date.now() - Number(mtimeNs / 1_000_000n) > CLOCK_GRAIN_MS;
      return names;
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error;
      seen = undefined;
      return [];
    }
  };
}
