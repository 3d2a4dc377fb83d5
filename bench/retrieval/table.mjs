const COLUMNS = [
  ['nDCG@10', 'ndcg10'],
  ['R@1', 'recall1'],
  ['R@5', 'recall5'],
  ['R@10', 'recall10'],
  ['MRR', 'mrr10'],
  ['read ≤ 2k', 'read2000'],
  ['≤ 8k', 'read8000'],
  ['≤ 20k', 'read20000'],
];

/** Means with standard errors, one line for each set and scope. */
export function printTable(results) {
  console.log(`| set | questions | ${COLUMNS.map(([title]) => title).join(' | ')} | median tokens | ms |`);
  console.log(`|---|---|${COLUMNS.map(() => '---|').join('')}---|---|`);
  for (const result of results) {
    const cells = COLUMNS.map(([, name]) =>
      name in result ? `${result[name].toFixed(3)} ± ${result[`${name}_se`].toFixed(3)}` : '–',
    );
    const tokens = 'median_tokens' in result ? Math.round(result.median_tokens) : '–';
    console.log(
      `| ${result.set}, ${result.scope} | ${result.questions} | ${cells.join(' | ')} | ${tokens} | ${result.median_ms.toFixed(1)} |`,
    );
  }
}
