import type { VectorlessClient } from './client.ts';
import { count, list, text, toCitation, toUsage, wire } from './mapping.ts';
import type { RequestFunction } from './request.ts';
import type { AnswerResult, CallOptions, ReplayRequest } from './types.ts';

/** Answers, and what only some servers can do. */
export interface Answers extends Pick<VectorlessClient, 'answer' | 'answerTreewalk'> {
  /** A stored answer, as the server sent it then. Only the standalone engine keeps them, for a day at most. */
  replay(request: ReplayRequest, options?: CallOptions): Promise<unknown>;
}

interface Question {
  readonly documentId: string;
  readonly query: string;
  readonly model?: string | undefined;
}

const defaultTimeoutMs = 120_000;

export function createAnswers(request: RequestFunction): Answers {
  const ask = (path: string, question: Question, limits: object, options?: CallOptions) => {
    const { documentId, query, model } = question;
    const json = { document_id: documentId, query, model, ...limits };
    return request(
      { method: 'POST', path, json, retry: 'costly', documentId, defaultTimeoutMs },
      async (answer) => toAnswer(await answer.json(), question),
      options,
    );
  };

  return {
    async answer(question, options) {
      const { maxSections, maxAnswerTokens } = question;
      const limits = { max_sections: maxSections, max_answer_tokens: maxAnswerTokens };
      return ask('/v1/answer', question, limits, options);
    },

    // Never streamed: one of the two servers fails every streamed treewalk.
    async answerTreewalk(question, options) {
      const { maxHops, maxCharactersPerHop } = question;
      // The wire's name says pages and means characters.
      const limits = { max_hops: maxHops, max_pages_per_fetch: maxCharactersPerHop };
      return ask('/v1/answer/treewalk', question, limits, options);
    },

    async replay({ traceToken, documentId, query }, options) {
      const json = { trace_token: traceToken, document_id: documentId, query };
      return request(
        { method: 'POST', path: '/v1/replay', json, retry: 'safe', documentId },
        (answer) => answer.json(),
        options,
      );
    },
  };
}

function toAnswer(value: unknown, { documentId, query }: Question): AnswerResult {
  const from = wire(value, 'The answer');
  return {
    documentId: text(from.document_id) ?? documentId,
    query: text(from.query) ?? query,
    answer: text(from.answer) ?? '',
    citations: list(from.citations).map(toCitation),
    abstained: from.abstained === true,
    strategy: text(from.strategy),
    confidence: count(from.confidence),
    traceToken: text(from.trace_token),
    elapsedMs: count(from.elapsed_ms),
    usage: toUsage(from.usage),
  };
}
