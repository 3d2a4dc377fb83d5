import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** One request as the fake saw it; filled in while it runs. Times are `Date.now()`. */
export interface RecordedRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly startedAt: number;
  /** Bytes of the body that were read. */
  bodyBytes: number;
  /** The body, if at most 64 KiB. */
  body: string;
  /** Of the answer; absent until it is sent. */
  status?: number;
  endedAt?: number;
  /** The client went away before the answer was complete. */
  aborted: boolean;
  /** Resolves when the exchange is over, one way or the other. */
  readonly ended: Promise<void>;
}

const keptBody = 64 * 1024;

export interface Journal {
  begin(request: IncomingMessage, response: ServerResponse): RecordedRequest;
  /** Reads the body once and counts it. */
  reader(
    request: IncomingMessage,
    record: RecordedRequest,
    limit: number,
  ): () => Promise<Uint8Array | string>;
  all(): readonly RecordedRequest[];
  next(matches: (route: string) => boolean, shown: string, timeoutMs: number): Promise<RecordedRequest>;
}

export function createJournal(): Journal {
  const records: RecordedRequest[] = [];
  const waiting = new Set<(record: RecordedRequest) => void>();
  return {
    begin(request, response) {
      const url = new URL(request.url ?? '/', 'http://fake');
      const ended = new Promise<void>((resolve) => {
        response.once('close', () => {
          record.aborted = !response.writableFinished;
          record.endedAt = Date.now();
          if (response.writableFinished) record.status = response.statusCode;
          resolve();
        });
      });
      const record: RecordedRequest = {
        ...{
          method: request.method ?? '',
          path: url.pathname,
          query: url.searchParams,
          headers: request.headers,
        },
        ...{ startedAt: Date.now(), bodyBytes: 0, body: '', aborted: false, ended },
      };
      records.push(record);
      for (const tell of [...waiting]) tell(record);
      return record;
    },
    reader(request, record, limit) {
      let reading: Promise<Uint8Array | string> | undefined;
      return () => {
        reading ??= readBody(request, record, limit);
        return reading;
      };
    },
    all: () => records,
    next(matches, shown, timeoutMs) {
      const isIt = ({ method, path }: RecordedRequest) => matches(`${method} ${path}`);
      const there = records.find(isIt);
      if (there !== undefined) return Promise.resolve(there);
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(tell);
          reject(new Error(`the fake saw no ${shown} within ${timeoutMs} ms`));
        }, timeoutMs);
        const tell = (record: RecordedRequest) => {
          if (!isIt(record)) return;
          waiting.delete(tell);
          clearTimeout(timer);
          resolve(record);
        };
        waiting.add(tell);
      });
    },
  };
}

async function readBody(
  request: IncomingMessage,
  record: RecordedRequest,
  limit: number,
): Promise<Uint8Array | string> {
  const chunks: Uint8Array[] = [];
  try {
    // Giving up must not cut the connection: the answer still has to get through.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      const bytes: Uint8Array = chunk;
      record.bodyBytes += bytes.byteLength;
      if (record.bodyBytes > limit) return 'http: request body too large';
      chunks.push(bytes);
    }
  } catch {
    return 'unexpected EOF';
  }
  const whole = Buffer.concat(chunks);
  if (whole.byteLength <= keptBody) record.body = whole.toString('utf8');
  return whole;
}

/** Reads the body slowly and never answers; so it notices at once when the client goes away. */
export async function trickle(
  request: IncomingMessage,
  record: RecordedRequest,
  signal: AbortSignal,
): Promise<void> {
  while (!request.destroyed && !signal.aborted) {
    const chunk: Uint8Array | null = request.read();
    record.bodyBytes += chunk?.byteLength ?? 0;
    await sleep(50, undefined, { signal }).catch(() => {});
  }
}
