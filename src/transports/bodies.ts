import type { Readable } from 'node:stream';

/** Bytes that may be in memory at once over all requests; whoever finds too little left is told to come back. */
export interface ByteBudget {
  /** False, and nothing taken, when that many bytes are not left. */
  take(bytes: number): boolean;
  give(bytes: number): void;
  /** Bytes of requests that are coming in or being answered. */
  readonly taken: number;
}

export function createByteBudget(total: number): ByteBudget {
  let left = total;
  return {
    take(bytes) {
      if (bytes > left) return false;
      left -= bytes;
      return true;
    },
    give(bytes) {
      left += bytes;
    },
    get taken() {
      return total - left;
    },
  };
}

export type BodyFailure = 'too_large' | 'too_slow' | 'no_room' | 'aborted';

export interface ReadLimits {
  readonly maxBytes: number;
  /** From the first look to the last byte. */
  readonly timeoutMs: number;
  readonly budget: ByteBudget;
}

export type BodyRead =
  | { readonly bytes: Buffer; readonly release: () => void }
  | { readonly failure: BodyFailure };

/** Reads a body whole. `release` gives its bytes back to the budget, once the request has been answered. */
export function readBody(
  body: Readable,
  declared: number | undefined,
  limits: ReadLimits,
): Promise<BodyRead> {
  if (declared !== undefined && declared > limits.maxBytes) return Promise.resolve({ failure: 'too_large' });
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let taken = 0;
    const settle = (failure?: BodyFailure) => {
      clearTimeout(timer);
      body.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
      if (failure === undefined) {
        const release = once(() => limits.budget.give(taken));
        resolve({ bytes: Buffer.concat(chunks), release });
        return;
      }
      limits.budget.give(taken);
      resolve({ failure });
    };
    const onData = (chunk: Buffer) => {
      if (taken + chunk.length > limits.maxBytes) settle('too_large');
      else if (!limits.budget.take(chunk.length)) settle('no_room');
      else {
        taken += chunk.length;
        chunks.push(chunk);
      }
    };
    const onEnd = () => settle();
    const onClose = () => settle('aborted');
    const timer = setTimeout(() => settle('too_slow'), limits.timeoutMs);
    body.on('data', onData).once('end', onEnd).once('close', onClose).once('error', onClose);
  });
}

/** From `Content-Length`; undefined for a chunked body. */
export function declaredLength(headers: Headers): number | undefined {
  const value = headers.get('content-length');
  return value !== null && /^\d+$/.test(value) ? Number(value) : undefined;
}

/** Runs it the first time only. */
export function once(run: () => void): () => void {
  let done = false;
  return () => {
    if (!done) run();
    done = true;
  };
}
