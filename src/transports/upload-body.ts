import type { Readable } from 'node:stream';

export type UploadFault = 'too_large' | 'too_slow' | 'empty';

export interface UploadBody {
  readonly stream: ReadableStream<Uint8Array>;
  /** Bytes seen so far. */
  bytes(): number;
  /** Everything has arrived. */
  complete(): boolean;
  /** Why the stream ended in an error, when it is this side that ended it. */
  fault(): UploadFault | undefined;
}

/** The bytes of a request as a stream that ends in an error once it is too long, or silent for too long. */
export function countedBody(source: Readable, maxBytes: number, idleMs: number): UploadBody {
  let count = 0;
  let fault: UploadFault | undefined;
  // Destroying the source would take the connection with it, and the answer.
  const chunks: AsyncIterator<Uint8Array> = source.iterator({ destroyOnReturn: false });

  async function pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    const next = await within(chunks.next(), idleMs);
    if (next === 'late') fault = 'too_slow';
    else if (next.done === true) {
      if (count > 0) return controller.close();
      fault = 'empty';
    } else {
      count += next.value.byteLength;
      if (count <= maxBytes) return controller.enqueue(next.value);
      fault = 'too_large';
    }
    controller.error(new Error(`upload refused: ${fault}`));
  }

  return {
    stream: new ReadableStream({ pull }, { highWaterMark: 0 }),
    bytes: () => count,
    complete: () => source.readableEnded,
    fault: () => fault,
  };
}

function within<T>(promise: Promise<T>, milliseconds: number): Promise<T | 'late'> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve('late'), milliseconds);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
