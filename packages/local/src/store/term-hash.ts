/**
 * Two independent 32-bit hashes of a term (cyrb53's mixing). A segment finds its terms by these 64 bits and keeps no
 * strings: among a million distinct terms a false match has odds of about 1 in 10 million for a query word.
 */
export function hashTerm(term: string): readonly [high: number, low: number] {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let i = 0; i < term.length; i++) {
    const unit = term.charCodeAt(i);
    a = Math.imul(a ^ unit, 2654435761);
    b = Math.imul(b ^ unit, 1597334677);
  }
  const high = mix(a, b);
  const low = mix(b, a);
  return [high >>> 0, low >>> 0];
}

function mix(a: number, b: number): number {
  const x = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  return Math.imul(x ^ (x >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
}
