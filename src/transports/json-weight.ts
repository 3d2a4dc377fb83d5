const quote = 0x22;
const backslash = 0x5c;

/** Bytes that V8 takes for each, its place in the container that holds it included; measured, and rounded up. */
const container = 64;
const string = 32;
const item = 16;

const weightOf = new Uint8Array(128);
for (const character of '[{') weightOf[character.charCodeAt(0)] = container;
for (const character of ',:') weightOf[character.charCodeAt(0)] = item;
weightOf[quote] = string;

/**
 * Roughly how many bytes a JSON text takes once parsed, beyond its own length: `{},{},…` grows to 25 times its size.
 * Only a count: it says nothing about whether the text is JSON.
 */
export function jsonWeight(text: Uint8Array): number {
  let weight = 0;
  for (let at = 0; at < text.length; at += 1) {
    const byte = text[at] ?? 0;
    weight += weightOf[byte] ?? 0;
    if (byte !== quote) continue;
    at += 1;
    while (at < text.length && text[at] !== quote) at += text[at] === backslash ? 2 : 1;
  }
  return weight;
}
