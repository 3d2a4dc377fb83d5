/**
 * pdf.js hands fonts over with `ArrayBuffer.prototype.transferToFixedLength`, which Node 20 (V8 11.3) lacks. Without it
 * fonts fail to load in silence, and with them go their names, which tell bold from regular. Import before pdf.js.
 */
const prototype: object = ArrayBuffer.prototype;

for (const name of ['transfer', 'transferToFixedLength']) {
  if (name in prototype) continue;
  Object.defineProperty(prototype, name, {
    configurable: true,
    writable: true,
    value(this: ArrayBuffer, length = this.byteLength): ArrayBuffer {
      const copy = new ArrayBuffer(length);
      new Uint8Array(copy).set(new Uint8Array(this, 0, Math.min(length, this.byteLength)));
      return copy;
    },
  });
}

export {};
