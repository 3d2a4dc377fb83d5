import { VectorlessError, type VectorlessErrorCode } from '@vectorless/sdk';
import { redact } from '../log.ts';
import { Refusal } from '../tools/tool.ts';

/** The machine-readable half of a failed call; goes into `_meta`, since clients validate structured content. */
export interface FailureFacts {
  readonly code: VectorlessErrorCode | 'invalid_arguments' | 'internal';
  readonly tool: string;
  readonly document_id?: string;
  readonly request_id?: string;
  readonly status?: number;
  readonly retry_after_seconds?: number;
}

export interface Failure {
  readonly text: string;
  readonly facts: FailureFacts;
}

export const failureMetaKey = 'dev.vectorless/error';

interface Guidance {
  readonly what: string;
  /** What the agent should do now. */
  readonly next: string;
}

/**
 * From SDK error code to what the agent should do next. A code that is missing here does not compile.
 * The server's own text is never shown: it can hold paths and provider messages.
 */
const guidance: Readonly<Record<VectorlessErrorCode, Guidance>> = {
  unauthorized: {
    what: 'Your VECTORLESS_API_KEY is missing or invalid. Check your MCP config.',
    next: 'Do not retry. The user gets a key at https://vectorless.dev; with --local the server needs none.',
  },
  forbidden: {
    what: 'This API key may not do that.',
    next: 'Do not retry. Tell the user that the key lacks the permission.',
  },
  payment_required: {
    what: 'The account’s plan does not cover this call.',
    next: 'Do not retry. Tell the user to check the plan of the Vectorless account.',
  },
  not_found: {
    what: 'There is nothing with that id.',
    next: 'Call vectorless_list_documents for the documents that exist, or vectorless_query for section ids.',
  },
  invalid_request: {
    what: 'The server did not accept the request.',
    next: 'Check the arguments; do not repeat the same call.',
  },
  conflict: {
    what: 'The request conflicts with what the server already has.',
    next: 'Call vectorless_list_documents to see what is there.',
  },
  too_large: {
    what: 'The server refused the document: it is too large.',
    next: 'Do not retry. Split the document, or ask the user to raise the server’s limit.',
  },
  rate_limited: {
    what: 'The Vectorless API limits how often this key may call.',
    next: 'Wait, then make the same call again.',
  },
  not_supported: {
    what: 'This Vectorless server cannot do that.',
    next: 'Do not retry. Use vectorless_query and vectorless_get_section instead.',
  },
  server_error: {
    what: 'The Vectorless server failed.',
    next: 'Try once more; if it fails again, tell the user and give the request id.',
  },
  unavailable: {
    what: 'The Vectorless server is not available at the moment.',
    next: 'Try again in a minute.',
  },
  timeout: {
    what: 'The answer did not come in time.',
    next: 'Try again; if it fails again, tell the user.',
  },
  aborted: { what: 'The call was cancelled.', next: 'Make the call again if it is still wanted.' },
  connection: {
    what: 'The Vectorless server could not be reached.',
    next: 'Tell the user to check VECTORLESS_BASE_URL, the network and the proxy settings; then try again.',
  },
  tls: {
    what: 'The server’s certificate was not accepted.',
    next: 'Do not retry. Behind a company proxy the user must set NODE_EXTRA_CA_CERTS to the company’s certificate file.',
  },
  bad_response: {
    what: 'The answer did not come from a Vectorless API.',
    next: 'Do not retry. Tell the user to check VECTORLESS_BASE_URL.',
  },
  document_failed: {
    what: 'The document could not be processed.',
    next: 'Call vectorless_list_documents for the reason; ingest it again with retry: true once it is mended.',
  },
};

/** Cases of a code that call for something else than the rest of it does. */
const special: readonly (Guidance & { isIt(error: VectorlessError, tool: string): boolean })[] = [
  {
    isIt: ({ code, message }) => code === 'invalid_request' && /X-Vectorless-Org/.test(message),
    what: 'This Vectorless server needs to know the organisation.',
    next: 'Do not retry. Tell the user to set VECTORLESS_ORG in the MCP config.',
  },
  {
    isIt: ({ code, message, status }) =>
      code === 'invalid_request' && status === undefined && /over plain http/.test(message),
    what: 'The API key is not sent over plain http to another machine.',
    next: 'Do not retry. Tell the user to use an https address in VECTORLESS_BASE_URL, or to set VECTORLESS_ALLOW_HTTP=true.',
  },
  {
    // Rate limits pass in seconds; a monthly quota points weeks ahead.
    isIt: ({ code, retryAfterSeconds = 0 }) => code === 'rate_limited' && retryAfterSeconds > 600,
    what: 'The quota of this API key is used up.',
    next: 'Do not wait for it and do not retry. Tell the user.',
  },
  {
    // What these ask for is always there on a Vectorless API.
    isIt: ({ code }, tool) =>
      code === 'not_found' && ['vectorless_list_documents', 'vectorless_ingest_document'].includes(tool),
    what: 'The server knows no such address, so it may be no Vectorless API.',
    next: 'Do not retry. Tell the user to check VECTORLESS_BASE_URL.',
  },
  {
    isIt: ({ code, status }, tool) =>
      code === 'invalid_request' &&
      (status === 415 || status === 422) &&
      tool === 'vectorless_ingest_document',
    what: 'The server does not take this document.',
    next: 'Check that the file opens and that its extension is right, or convert it to PDF or text.',
  },
  {
    isIt: ({ code }, tool) => code === 'not_supported' && tool !== 'vectorless_answer',
    what: guidance.not_supported.what,
    next: 'Do not retry. Tell the user.',
  },
  {
    isIt: ({ code }, tool) => code === 'timeout' && tool === 'vectorless_query',
    what: guidance.timeout.what,
    next: 'Try again, with fewer documents or a lower max_sections.',
  },
  {
    isIt: ({ code }, tool) => code === 'timeout' && tool === 'vectorless_ingest_document',
    what: guidance.timeout.what,
    next: 'Ingest the same document again: it goes on where it is, and is never stored twice.',
  },
];

/** Turns whatever a tool threw into what the model reads. */
export function describeFailure(error: unknown, tool: string, documentId?: string): Failure {
  const refusal = error instanceof VectorlessError ? error.cause : error;
  if (refusal instanceof Refusal) {
    return { text: refusal.message, facts: { code: 'invalid_arguments', tool } };
  }
  if (!(error instanceof VectorlessError)) {
    return {
      text: `${tool} failed inside the MCP server. Try once more; if it fails again, tell the user to read the server’s log.`,
      facts: { code: 'internal', tool },
    };
  }
  const { what, next } = special.find(({ isIt }) => isIt(error, tool)) ?? guidance[error.code];
  const facts: FailureFacts = {
    code: error.code,
    tool,
    ...defined('document_id', error.documentId ?? documentId),
    // A header of the server's, which could hold anything.
    ...defined('request_id', error.requestId && redact(error.requestId).slice(0, 200)),
    ...defined('status', error.status),
    ...defined('retry_after_seconds', error.retryAfterSeconds),
  };
  const { retryAfterSeconds } = error;
  const wait = retryAfterSeconds === undefined ? '' : ` Retry after ${duration(retryAfterSeconds)}.`;
  const details = [
    `tool: ${tool}`,
    facts.document_id !== undefined && `document: ${facts.document_id}`,
    facts.request_id !== undefined && `request id: ${facts.request_id}`,
    facts.status !== undefined && `status: ${facts.status}`,
  ].filter((part) => part !== false);
  return { text: redact(`${what}${wait} ${next}\n(${details.join(', ')})`), facts };
}

/** Rounded up, in the largest unit of which there are two or more. */
function duration(seconds: number): string {
  const [size, unit] = units.find(([each]) => seconds >= 2 * each) ?? [1, 'second'];
  const count = Math.ceil(seconds / size);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

const units = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
] as const;

function defined<Key extends string, Value>(key: Key, value: Value | undefined): { [K in Key]?: Value } {
  return value === undefined ? {} : ({ [key]: value } as { [K in Key]: Value });
}
