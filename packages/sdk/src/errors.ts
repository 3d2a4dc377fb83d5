/** Every way a call can fail, as one closed list: callers switch over it and the compiler finds what they forgot. */
export type VectorlessErrorCode =
  | 'invalid_request' // 400, 405, 415, 422: the server did not accept what was sent
  | 'unauthorized' // 401: key missing or wrong
  | 'forbidden' // 403
  | 'payment_required' // 402
  | 'not_found' // 404
  | 'conflict' // 409
  | 'too_large' // 413, and 400 that says "request body too large"
  | 'rate_limited' // 429
  | 'not_supported' // 501, 503 "no retrieval strategy": this server cannot do that
  | 'server_error' // 500 and other 5xx
  | 'unavailable' // 502, 503, 504 after the retries
  | 'timeout' // the call's deadline passed, or the server's own (500 "context deadline exceeded")
  | 'aborted' // the caller's signal
  | 'connection' // DNS, refused, reset, a stream that stopped halfway
  | 'tls' // the certificate was not accepted
  | 'bad_response' // not the API: HTML, a redirect, broken JSON, missing fields
  | 'document_failed'; // waitUntilReady: the document ended as `failed`

export interface VectorlessErrorInit {
  readonly code: VectorlessErrorCode;
  readonly message: string;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  /** The error was replayed from the server's idempotency cache: the same key can never succeed there. */
  readonly replayed?: boolean | undefined;
  readonly documentId?: string | undefined;
  readonly cause?: unknown;
}

/** The one error that the SDK throws. `message` may hold server text: do not show it to a model verbatim. */
export class VectorlessError extends Error {
  override readonly name = 'VectorlessError';
  readonly code: VectorlessErrorCode;
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly replayed: boolean;
  readonly documentId: string | undefined;

  constructor(init: VectorlessErrorInit) {
    super(init.message, init.cause === undefined ? undefined : { cause: init.cause });
    this.code = init.code;
    this.status = init.status;
    this.requestId = init.requestId;
    this.retryAfterSeconds = init.retryAfterSeconds;
    this.replayed = init.replayed ?? false;
    this.documentId = init.documentId;
  }
}
