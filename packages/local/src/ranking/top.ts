/** Indexes of the `count` largest positive values, largest first; of equal ones the earlier. */
export function largest(values: Float64Array, count: number): number[] {
  const order = (a: number, b: number) => (values[b] ?? 0) - (values[a] ?? 0) || a - b;
  let kept: number[] = [];
  let floor = 0;
  for (let i = 0; i < values.length; i++) {
    if ((values[i] ?? 0) <= floor) continue;
    kept.push(i);
    if (kept.length < count * 4 + 64) continue;
    kept = kept.sort(order).slice(0, count);
    floor = values[kept[count - 1] ?? 0] ?? 0;
  }
  return kept.sort(order).slice(0, count);
}
