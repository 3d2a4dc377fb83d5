/** Tokens of a text as a language model counts them, estimated: four Latin characters, or one other character. */
export function estimateTokens(text: string): number {
  let quarters = 0;
  for (let i = 0; i < text.length; i++) quarters += text.charCodeAt(i) < 0x250 ? 1 : 4;
  return Math.ceil(quarters / 4);
}
