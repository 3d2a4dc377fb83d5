import { settings } from '../../settings.ts';
import { type Check, fail, ok, warn } from './check.ts';

const name = 'Settings';

/** Placeholders, values that were ignored, and names that are no setting. */
export const checkSettings: Check = (config) => {
  const known = Object.values(settings).map(({ env }) => env);
  const ignored = config.warnings.map((warning) => fail(name, warning, 'Correct the value, or remove it.'));
  const unknown = Object.keys(config.environment)
    .filter((variable) => variable.startsWith('VECTORLESS_') && !known.includes(variable))
    .map((variable) => {
      const [best = ''] = known.toSorted((a, b) => editDistance(a, variable) - editDistance(b, variable));
      const isNear = editDistance(best, variable) <= 3;
      return isNear
        ? fail(name, `${variable} is not a setting: did you mean ${best}?`, `Rename it to ${best}.`)
        : warn(
            name,
            `${variable} is not a setting; it does nothing.`,
            'Remove it, or see `vectorless-mcp --help`.',
          );
    });
  const found = [...ignored, ...unknown];
  return found.length > 0 ? found : [ok(name, 'every VECTORLESS_ variable is known and well formed')];
};

/** How many letters have to be added, removed or changed (Levenshtein). */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (const [index, letter] of [...a].entries()) {
    const next = [index + 1];
    for (const [column, other] of [...b].entries()) {
      const change = (row[column] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(change, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
