import { type Answers, createAnswers } from './answer.ts';
import type { Sections, VectorlessClient, VectorlessOptions } from './client.ts';
import { createDocuments, type DocumentsApi } from './documents.ts';
import { text, wire } from './mapping.ts';
import { createQueries } from './query.ts';
import { createRequest } from './request.ts';
import { createSections } from './sections.ts';

/**
 * A client of one Vectorless API with one key. Making one opens nothing and costs a few allocations: all clients of a
 * process share one pool of connections. What is wrong with the options is said by the first call.
 */
export class Vectorless implements VectorlessClient {
  readonly documents: DocumentsApi;
  readonly sections: Sections;
  readonly query: VectorlessClient['query'];
  readonly queryMany: VectorlessClient['queryMany'];
  readonly queryStream: VectorlessClient['queryStream'];
  readonly answer: VectorlessClient['answer'];
  readonly answerTreewalk: VectorlessClient['answerTreewalk'];
  readonly replay: Answers['replay'];
  readonly health: VectorlessClient['health'];
  readonly version: VectorlessClient['version'];

  constructor(options: VectorlessOptions = {}) {
    const request = createRequest(options);
    const queries = createQueries(request);
    const answers = createAnswers(request);
    this.documents = createDocuments(request);
    this.sections = createSections(request);
    this.query = queries.query;
    this.queryMany = queries.queryMany;
    this.queryStream = queries.queryStream;
    this.answer = answers.answer;
    this.answerTreewalk = answers.answerTreewalk;
    this.replay = answers.replay;
    this.health = async (callOptions) => {
      const call = { method: 'GET', path: '/v1/health', retry: 'safe' } as const;
      await request(call, async (answer) => wire(await answer.json(), 'The answer'), callOptions);
    };
    this.version = async (callOptions) =>
      request(
        { method: 'GET', path: '/v1/version', retry: 'safe' },
        async (answer) => text(wire(await answer.json(), 'The answer').version) ?? 'unknown',
        callOptions,
      );
  }
}
