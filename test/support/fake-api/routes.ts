import { answer, treewalk } from './answer.ts';
import {
  deleteDocument,
  getDocument,
  getOutline,
  getSection,
  getSource,
  getTree,
  listDocuments,
} from './documents.ts';
import type { Handler } from './exchange.ts';
import { ingest } from './ingest.ts';
import { query, queryMany, replay } from './query.ts';
import { json } from './reply.ts';
import { queryManyStream, queryStream } from './stream.ts';
import type { Dialect } from './world.ts';

export interface Route {
  readonly handler: Handler;
  readonly id: string;
  /** Answers without a key and without an organisation. */
  readonly open: boolean;
}

const health: Handler = () => json(200, { status: 'ok' });
const version: Handler = () => json(200, { version: 'dev' });
const dot: Handler = () => ({
  status: 200,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: '.',
});

/** Method, path, handler, and the dialect if only one has it. A handler that reads no organisation is open. */
const table: readonly (readonly [method: string, path: string, handler: Handler, only?: Dialect])[] = [
  ['GET', '/v1/health', health],
  ['GET', '/v1/version', version],
  ['GET', '/health', dot, 'E'],
  ['GET', '/v1/documents', listDocuments],
  ['GET', '/v1/documents/', listDocuments],
  ['POST', '/v1/documents', ingest],
  ['POST', '/v1/documents/', ingest],
  ['GET', '/v1/documents/*', getDocument],
  ['DELETE', '/v1/documents/*', deleteDocument],
  ['GET', '/v1/documents/*/tree', getTree],
  ['GET', '/v1/documents/*/source', getSource],
  ['GET', '/v1/documents/*/llms.txt', getOutline, 'S'],
  ['GET', '/v1/sections/*', getSection],
  ['POST', '/v1/query', query],
  ['POST', '/v1/query/', query, 'S'],
  ['POST', '/v1/query/multi', queryMany],
  ['POST', '/v1/query/stream', queryStream, 'S'],
  ['POST', '/v1/query/multi/stream', queryManyStream, 'S'],
  ['POST', '/v1/answer', answer],
  ['POST', '/v1/answer/treewalk', treewalk],
  ['POST', '/v1/replay', replay, 'E'],
];

/** The route of a request; the allowed methods when only the method is wrong; undefined for an unknown path. */
export function routeOf(dialect: Dialect, method: string, path: string): Route | string[] | undefined {
  const candidates = table
    .filter(([, , , only]) => only === undefined || only === dialect)
    .flatMap((row) => {
      const id = match(row[1], path);
      return id === undefined ? [] : [{ method: row[0], handler: row[2], id }];
    });
  const found = candidates.find((candidate) => candidate.method === method);
  if (found === undefined)
    return candidates.length === 0 ? undefined : candidates.map((candidate) => candidate.method);
  return { handler: found.handler, id: found.id, open: [health, version, dot].includes(found.handler) };
}

/** The segment that `*` stands for, decoded; empty when the template has none. */
function match(template: string, path: string): string | undefined {
  const [wanted, actual] = [template.split('/'), path.split('/')];
  if (wanted.length !== actual.length) return undefined;
  let id = '';
  for (const [at, part] of wanted.entries()) {
    const given = actual[at] ?? '';
    if (part === '*' && given !== '') id = decodeURIComponent(given);
    else if (part !== given) return undefined;
  }
  return id;
}
