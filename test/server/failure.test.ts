import { VectorlessError, type VectorlessErrorCode } from '@vectorless/sdk';
import { expect, test } from 'vitest';
import { Refusal } from '../../src/refusal.ts';
import { describeFailure } from '../../src/server/failure.ts';

/** The compiler keeps this complete: a new code has to be added here too. */
const codes: Readonly<Record<VectorlessErrorCode, true>> = {
  ...{ invalid_request: true, unauthorized: true, forbidden: true, payment_required: true, not_found: true },
  ...{ conflict: true, too_large: true, rate_limited: true, not_supported: true, server_error: true },
  ...{ unavailable: true, timeout: true, aborted: true, connection: true, tls: true, bad_response: true },
  document_failed: true,
};

const fail = (init: {
  code: VectorlessErrorCode;
  message?: string;
  retryAfterSeconds?: number;
  status?: number;
}) =>
  describeFailure(
    new VectorlessError({ message: 'open /srv/blobs/7: key sk-abcdef0123', requestId: 'req-1', ...init }),
    'vectorless_query',
    'doc_1',
  );

test.each(Object.keys(codes) as VectorlessErrorCode[])(
  '%s: what happened, where, and what to do next',
  (code) => {
    const { text, facts } = fail({ code, status: 400 });
    expect(text).toMatch(
      /^[A-Z].*\. .*\.\n\(tool: vectorless_query, document: doc_1, request id: req-1, status: 400\)$/,
    );
    expect(text).not.toMatch(/\/srv|sk-abc/);
    expect(facts).toEqual({
      ...{ code, tool: 'vectorless_query' },
      document_id: 'doc_1',
      request_id: 'req-1',
      status: 400,
    });
  },
);

test('a wait is named, and a quota that lasts for days is not waited for', () => {
  const told = (retryAfterSeconds: number) =>
    / Retry after ([^.]+)\./.exec(fail({ code: 'rate_limited', retryAfterSeconds }).text)?.[1];
  expect([1, 7, 90, 121, 7_200, 1_209_600].map(told)).toEqual([
    ...['1 second', '7 seconds', '90 seconds', '3 minutes', '2 hours', '14 days'],
  ]);
  expect(fail({ code: 'rate_limited', retryAfterSeconds: 86_400 }).text).toMatch(/quota/);
});

test.each([
  ['vectorless_list_documents', { code: 'not_found', status: 404 }, 'VECTORLESS_BASE_URL'],
  ['vectorless_ingest_document', { code: 'not_found', status: 404 }, 'VECTORLESS_BASE_URL'],
  ['vectorless_ingest_document', { code: 'invalid_request', status: 415 }, 'extension'],
  ['vectorless_ingest_document', { code: 'timeout' }, 'never stored twice'],
  ['vectorless_query', { code: 'timeout' }, 'fewer documents'],
  ['vectorless_query', { code: 'not_supported', status: 501 }, 'Tell the user.'],
  ['vectorless_answer', { code: 'not_supported', status: 501 }, 'Use vectorless_query'],
  ['vector_search', { code: 'timeout' }, 'in time. Try again; if it fails again, tell the user.'],
] as const)('%s: %j calls for something of its own', (tool, init, sentence) => {
  const { text } = describeFailure(new VectorlessError({ message: 'x', ...init }), tool);
  expect(text).toContain(sentence);
});

test('a refusal is passed on as it is, also from below the SDK', () => {
  const refusal = new Refusal('The folder is full.');
  const below = new VectorlessError({ code: 'connection', message: 'x', cause: refusal });
  for (const error of [refusal, below]) {
    expect(describeFailure(error, 'vectorless_query')).toEqual({
      ...{ text: 'The folder is full.', facts: { code: 'invalid_arguments', tool: 'vectorless_query' } },
    });
  }
});

test('a defect says nothing of itself', () => {
  const { text, facts } = describeFailure(new TypeError('secret of x'), 'vectorless_query');
  expect(text).not.toContain('secret');
  expect(facts).toEqual({ code: 'internal', tool: 'vectorless_query' });
});
