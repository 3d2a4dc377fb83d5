// What the engine's measuring processes share.

export async function allDocuments(engine) {
  const ids = [];
  for (let cursor; ; ) {
    const page = await engine.get(
      `/v1/documents?limit=200${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`,
    );
    ids.push(...page.items.map(({ id }) => id));
    cursor = page.next_cursor;
    if (!cursor) return ids;
  }
}

/** Of times in milliseconds. */
export function summary(times) {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return { count: sorted.length, p50: at(0.5), p99: at(0.99), max: sorted.at(-1) };
}
