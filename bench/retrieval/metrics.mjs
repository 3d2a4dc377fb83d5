export const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Standard error of a mean. */
export function standardError(values) {
  const middle = mean(values);
  const variance =
    values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / Math.max(1, values.length - 1);
  return Math.sqrt(variance / values.length);
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** `gains[i]` is what rank i + 1 is worth, `ideal` the gains of the best order. */
export function ndcg(gains, ideal, depth = 10) {
  const discounted = (values) =>
    values.slice(0, depth).reduce((sum, gain, i) => sum + gain / Math.log2(i + 2), 0);
  return discounted(gains) / discounted([...ideal].sort((a, b) => b - a));
}

/** 1 / rank of the first gain within the depth, else 0. */
export function reciprocalRank(gains, depth = 10) {
  const first = gains.slice(0, depth).findIndex((gain) => gain > 0);
  return first < 0 ? 0 : 1 / (first + 1);
}

/** A mean and its standard error as entries of a result; nothing for what was not measured. */
export function summarise(name, values) {
  return values.length === 0
    ? []
    : [
        [name, mean(values)],
        [`${name}_se`, standardError(values)],
      ];
}
