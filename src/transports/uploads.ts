import { VectorlessError } from '@vectorless/sdk';
import type { Log } from '../log.ts';
import { describeFailure } from '../server/failure.ts';
import type { Caller } from '../tools/caller.ts';
import type { Binding, UploadReceipt } from '../tools/toolset.ts';
import { type ByteBudget, declaredLength } from './bodies.ts';
import type { Gate } from './concurrency.ts';
import { type Exchange, methodNotAllowed } from './exchange.ts';
import { html } from './pages/page.ts';
import { formatBytes, uploadPage } from './pages/upload.ts';
import { countedBody, type UploadFault } from './upload-body.ts';
import type { SealedUploadLinks, UploadTicket } from './upload-links.ts';
import { createUsedTickets, type UploadEnd } from './used-tickets.ts';

export interface UploadOptions {
  readonly links: SealedUploadLinks;
  readonly receiverFor: (caller: Caller) => Binding['receiveUpload'];
  readonly gate: Gate;
  /** Bytes that may be on their way in at once, over all uploads. */
  readonly budget: ByteBudget;
  /** Longest silence of a client that is sending. */
  readonly idleMs: number;
  readonly log: Log;
}

interface Stored extends UploadReceipt {
  readonly bytes: number;
}

interface UploadFailure {
  readonly status: number;
  readonly error: string;
  readonly message: string;
}

const failures = {
  invalid: {
    status: 403,
    error: 'link_invalid',
    message: 'This upload link is not valid: it was changed, or made by another server. Ask for a new one.',
  },
  expired: {
    status: 410,
    error: 'link_expired',
    message: 'This upload link has expired; links are good for 15 minutes. Ask for a new one.',
  },
  running: {
    status: 409,
    error: 'upload_running',
    message: 'A file is being uploaded through this link right now.',
  },
  empty: { status: 400, error: 'empty', message: 'The file is empty. The link can still be used.' },
  closed: { status: 403, error: 'not_accepted', message: 'This server does not take documents (any more).' },
  busy: {
    status: 503,
    error: 'busy',
    message: 'The server is receiving too much at once. Try the same link again in a few seconds.',
  },
  again: {
    status: 503,
    error: 'again',
    message:
      'The server still holds an earlier try through this link that broke off. Try the same link again.',
  },
  slow: { status: 408, error: 'too_slow', message: 'The file stopped arriving. Try the same link again.' },
} as const satisfies Record<string, UploadFailure>;

const tooLarge = (maxBytes: number): UploadFailure => ({
  status: 413,
  error: 'too_large',
  message: `The file is larger than the ${formatBytes(maxBytes)} that this link takes. Send a smaller one; the link can still be used.`,
});

/** `PUT` takes the file's bytes, `GET` shows a page for people. The link is the credential. */
export function createUploadRoute(
  options: UploadOptions,
): (exchange: Exchange, sealed: string) => Promise<Response> {
  const used = createUsedTickets();

  function refusal(ticket: UploadTicket | undefined): UploadFailure | undefined {
    if (ticket === undefined) return failures.invalid;
    const documentId = used.documentOf(ticket.id);
    if (documentId !== undefined) {
      const message = `This upload link has been used: its file is document ${documentId}. Ask for a new link for another file.`;
      return { status: 410, error: 'link_used', message };
    }
    return ticket.expiresAt <= Date.now() ? failures.expired : undefined;
  }

  async function receive(exchange: Exchange, ticket: UploadTicket): Promise<Response> {
    const byteSize = declaredLength(exchange.request.headers);
    if (byteSize !== undefined && byteSize > ticket.maxBytes) return refuse(tooLarge(ticket.maxBytes));
    if (byteSize === 0) return refuse(failures.empty);
    const receiver = options.receiverFor(ticket.caller);
    if (receiver === undefined) return refuse(failures.closed);
    const deadKeys = used.begin(ticket.id, ticket.expiresAt);
    if (deadKeys === undefined) return refuse(failures.running);
    let end: UploadEnd = {};
    try {
      const reserved = byteSize ?? ticket.maxBytes;
      if (!options.budget.take(reserved)) return refuse(failures.busy);
      const slot = await options.gate.enter(ticket.caller.id, { signal: exchange.signal, waitMs: 5_000 });
      try {
        if (slot.busy !== undefined) return refuse(failures.busy);
        const outcome = await pass(exchange, ticket, byteSize, receiver, keyOf(ticket, deadKeys));
        const isStored = 'documentId' in outcome;
        end = isStored ? { documentId: outcome.documentId } : { keyIsDead: outcome === failures.again };
        return isStored ? accepted(outcome, ticket) : refuse(outcome);
      } finally {
        options.budget.give(reserved);
        slot.leave?.();
      }
    } finally {
      used.end(ticket.id, end);
    }
  }

  async function pass(
    exchange: Exchange,
    { filename, contentType, maxBytes }: UploadTicket,
    byteSize: number | undefined,
    receiver: NonNullable<Binding['receiveUpload']>,
    idempotencyKey: string,
  ): Promise<Stored | UploadFailure> {
    const started = Date.now();
    const incoming = countedBody(exchange.openBody(), maxBytes, options.idleMs);
    // Once everything has arrived, a sender that does not wait for the answer has still sent it.
    const broken = new AbortController();
    exchange.signal.addEventListener(
      'abort',
      () => incoming.complete() || broken.abort(exchange.signal.reason),
    );
    const log = (status: string) =>
      options.log.info('upload', { status, bytes: incoming.bytes(), ms: Date.now() - started });
    try {
      const receipt = await receiver.receive({
        ...{ filename, contentType, byteSize, body: incoming.stream },
        ...{ idempotencyKey, signal: broken.signal },
      });
      log('ok');
      return { ...receipt, bytes: incoming.bytes() };
    } catch (error) {
      const fault = incoming.fault();
      const failure = fault === undefined ? upstreamFailure(error) : ownFailure(fault, maxBytes);
      log(failure.error);
      return failure;
    }
  }

  return async (exchange, sealed) => {
    const { method } = exchange.request;
    if (method !== 'GET' && method !== 'HEAD' && method !== 'PUT') return methodNotAllowed('GET, HEAD, PUT');
    const ticket = options.links.open(sealed);
    const refused = refusal(ticket);
    if (method !== 'PUT') {
      return html(refused?.status ?? 200, (nonce) => uploadPage(nonce, refused?.message, ticket));
    }
    if (ticket === undefined || refused !== undefined) return refuse(refused ?? failures.invalid);
    return receive(exchange, ticket);
  };
}

const refuse = ({ status, error, message }: UploadFailure): Response =>
  Response.json(
    { error, message },
    { status, headers: { 'cache-control': 'no-store', ...(status === 503 && { 'retry-after': '3' }) } },
  );

const accepted = ({ documentId, status, bytes }: Stored, { filename }: UploadTicket): Response =>
  Response.json(
    {
      document_id: documentId,
      status,
      filename,
      byte_size: bytes,
      message: `Uploaded. Tell your agent that "${filename}" is there as document ${documentId}.`,
    },
    { status: 201, headers: { 'cache-control': 'no-store' } },
  );

/**
 * The ticket's id, until the upstream is seen to replay the failure of an upload that broke off: then the next of a
 * chain that every replica walks alike, so that a link means one document wherever it is used.
 */
const keyOf = ({ id }: UploadTicket, deadKeys: number): string => (deadKeys === 0 ? id : `${id}-${deadKeys}`);

const ownFailure = (fault: UploadFault, maxBytes: number): UploadFailure =>
  ({ too_large: tooLarge(maxBytes), too_slow: failures.slow, empty: failures.empty })[fault];

/** What is not the sender's doing, or not known, is 502. */
const statusOf: Readonly<Record<string, number>> = {
  ...{ invalid_arguments: 422, invalid_request: 422, not_supported: 422, too_large: 413, timeout: 504 },
  ...{ unauthorized: 403, forbidden: 403, payment_required: 402, rate_limited: 503, unavailable: 503 },
};

function upstreamFailure(error: unknown): UploadFailure {
  if (error instanceof VectorlessError && error.replayed) return failures.again;
  const { text, facts } = describeFailure(error, 'upload');
  return { status: statusOf[facts.code] ?? 502, error: facts.code, message: text.split('\n')[0] ?? '' };
}
