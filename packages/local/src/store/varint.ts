/** Unsigned integers of seven bits a byte, low bits first. */

export class VarintWriter {
  #bytes = new Uint8Array(1 << 12);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length + 5 > this.#bytes.length) {
      const wider = new Uint8Array(this.#bytes.length * 2);
      wider.set(this.#bytes);
      this.#bytes = wider;
    }
    let rest = value;
    while (rest > 127) {
      this.#bytes[this.#length++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.#bytes[this.#length++] = rest;
  }

  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }
}

export interface VarintCursor {
  readonly bytes: Uint8Array;
  at: number;
}

export function readVarint(cursor: VarintCursor): number {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = cursor.bytes[cursor.at++] ?? 0;
    value |= (byte & 127) << shift;
    if (byte < 128) return value >>> 0;
  }
}
