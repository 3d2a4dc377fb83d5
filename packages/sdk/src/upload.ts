import { VectorlessError } from './errors.ts';
import type { IngestRequest } from './types.ts';

/** A request body of one `file` part, streamed: the file is never held whole by the client. */
export interface Upload {
  /** Of the request, with its boundary. */
  readonly contentType: string;
  /** Bytes of the whole body; absent for a stream of unknown length. */
  readonly size: number | undefined;
  /** False once the only copy of a one-shot stream has begun to be read. */
  readonly canOpen: () => boolean;
  /** A fresh body. Its source is let go when the signal aborts, even while it has nothing to give. */
  readonly open: (signal: AbortSignal) => Uint8Array | AsyncIterable<Uint8Array>;
}

/** Up to here one buffer is cheaper than a stream. */
const smallBytes = 256 * 1024;
const chunkBytes = 64 * 1024;

export function createUpload({ content, filename, contentType }: IngestRequest): Upload {
  const boundary = `vectorless-${crypto.randomUUID()}`;
  const head = Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${safeFilename(filename)}"\r\n` +
      `Content-Type: ${checkedType(contentType)}\r\n\r\n`,
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  const frame = { contentType: `multipart/form-data; boundary=${boundary}` };

  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  if (bytes instanceof Uint8Array) {
    // The view's own range: a Buffer is often a slice of a pool that holds other data.
    const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const size = head.length + view.length + tail.length;
    const open = () =>
      size <= smallBytes ? Buffer.concat([head, view, tail], size) : framed(head, slices(view), tail);
    return { ...frame, size, canOpen: () => true, open };
  }
  if ('getReader' in bytes) {
    const stream: ReadableStream<Uint8Array> = bytes;
    let begun = false;
    const source = () => {
      begun = true;
      return stream;
    };
    const open = (signal: AbortSignal) => framed(head, drain(source, signal), tail);
    return { ...frame, size: undefined, canOpen: () => !begun, open };
  }
  const { size } = bytes;
  const whole = (signal: AbortSignal) =>
    exactly(
      size,
      drain(() => bytes.stream(), signal),
    );
  return {
    ...{ ...frame, size: head.length + size + tail.length, canOpen: () => true },
    open: (signal) => framed(head, whole(signal), tail),
  };
}

/** How long an upload may take: the usual deadline and what a slow line (256 kB/s) needs. */
export function uploadTimeoutMs(size: number | undefined, usualMs: number): number {
  return size === undefined ? usualMs + 300_000 : usualMs + size / 256;
}

async function* framed(
  head: Uint8Array,
  content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  tail: Uint8Array,
): AsyncGenerator<Uint8Array> {
  yield head;
  yield* content;
  yield tail;
}

function* slices(bytes: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += chunkBytes)
    yield bytes.subarray(start, start + chunkBytes);
}

/** The content length is already on the wire: a file that grew or shrank since must fail here, not corrupt the body. */
async function* exactly(size: number, content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let sent = 0;
  for await (const chunk of content) {
    sent += chunk.byteLength;
    if (sent > size) break;
    yield chunk;
  }
  if (sent !== size) throw invalid('The file changed while it was being uploaded. Try again.');
}

/** What the source gives, until the signal; what goes wrong in the source is not the network's fault. */
async function* drain(open: () => Source, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  let stop: (() => unknown) | undefined;
  const cancel = () => void Promise.resolve(stop?.()).catch(() => {});
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const { next, cancel: release } = pulling(open());
    stop = release;
    for (let step = await next(); !step.done; step = await next()) {
      if (!(step.value instanceof Uint8Array)) throw new TypeError('it does not yield bytes');
      yield step.value;
    }
    // Cancelling ends a stream like its end does: what was cut off must not look complete.
    signal.throwIfAborted();
  } catch (cause) {
    signal.throwIfAborted();
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw invalid(`The content could not be read: ${reason}.`, cause);
  } finally {
    signal.removeEventListener('abort', cancel);
    cancel();
  }
}

type Source = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** A stream's reader or an iterator, by one name: a reader can be cancelled while it waits. */
function pulling(source: Source) {
  if ('getReader' in source) {
    const reader = source.getReader();
    return { next: () => reader.read(), cancel: () => reader.cancel() };
  }
  const iterator = source[Symbol.asyncIterator]();
  return { next: () => iterator.next(), cancel: () => iterator.return?.() };
}

/**
 * A name that every multipart parser reads alike: they disagree on how a quote or a backslash is escaped, and a line
 * break would end the header. Only the last part of a path is a name.
 */
function safeFilename(filename: string): string {
  const name = filename
    .replace(/^.*[/\\]/s, '')
    .replaceAll('"', "'")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must go
    .replace(/[\u0000-\u001f\u007f]+/g, ' ')
    .trim();
  if (name === '') throw invalid('An upload needs a filename.');
  return name;
}

function checkedType(contentType: string): string {
  if (/^[\w.+-]+\/[\w.+-]+(\s*;[\t\x20-\x7e]*)?$/.test(contentType)) return contentType;
  throw invalid('The content type of an upload must be a MIME type such as application/pdf.');
}

function invalid(message: string, cause?: unknown): VectorlessError {
  return new VectorlessError({ code: 'invalid_request', message, cause });
}
