import { errorCode, StorageError } from '../store/errors.ts';
import { json, Refused, refusal } from './answers.ts';
import {
  deleteDocument,
  type Engine,
  getDocument,
  getSource,
  getTree,
  listDocuments,
  postDocument,
} from './documents.ts';
import { postQuery, postQueryMulti } from './query.ts';
import { getSection } from './sections.ts';

type Handler = (request: Request, id: string) => Response | Promise<Response>;
type Methods = Readonly<Record<string, Handler>>;

const WAKE_EVERY_MS = 1_000;

/** The `/v1` routes of a standalone Vectorless engine. What it lacks is missing here too: streams are 404. */
export function createRoutes(engine: Engine): (request: Request) => Promise<Response> {
  const { store, indexer } = engine;
  const document = (id: string) => {
    const found = store.get(id);
    if (!found) throw new Refused(404, 'document not found');
    return found;
  };
  const noModel: Handler = () => json(501, { error: 'answer endpoint requires an LLM client' });
  const noTreewalk: Handler = () => json(501, { error: 'answer/treewalk endpoint requires an LLM client' });

  const routes: readonly (readonly [path: RegExp, methods: Methods])[] = [
    [/^\/v1\/health$/, { GET: () => json(200, { status: 'ok' }) }],
    [/^\/v1\/version$/, { GET: () => json(200, { version: 'local' }) }],
    [
      /^\/v1\/documents\/?$/,
      {
        GET: (request) => listDocuments(engine, new URL(request.url).searchParams),
        POST: (request) => postDocument(engine, request),
      },
    ],
    [
      /^\/v1\/documents\/([^/]+)$/,
      {
        GET: (_, id) => getDocument(engine, document(id)),
        DELETE: (_, id) => deleteDocument(engine, document(id)),
      },
    ],
    [/^\/v1\/documents\/([^/]+)\/tree$/, { GET: (_, id) => getTree(engine, document(id)) }],
    [/^\/v1\/documents\/([^/]+)\/source$/, { GET: (_, id) => getSource(engine, document(id)) }],
    [/^\/v1\/sections\/([^/]+)$/, { GET: (_, id) => getSection(engine, id) }],
    [/^\/v1\/query$/, { POST: (request) => postQuery(engine, request) }],
    [/^\/v1\/query\/multi$/, { POST: (request) => postQueryMulti(engine, request) }],
    [/^\/v1\/answer$/, { POST: noModel }],
    [/^\/v1\/answer\/treewalk$/, { POST: noTreewalk }],
    [/^\/v1\/replay$/, { POST: () => json(501, { error: 'replay store not configured' }) }],
  ];

  let woken = 0;
  return async (request) => {
    const { pathname } = new URL(request.url);
    for (const [pattern, methods] of routes) {
      const match = pattern.exec(pathname);
      if (!match) continue;
      const handler = methods[request.method];
      if (!handler)
        return new Response(null, { status: 405, headers: { allow: Object.keys(methods).join(', ') } });
      try {
        // A process that died leaves work without changing the folder, so now and then look for it anyway.
        if (store.refresh() || Date.now() - woken > WAKE_EVERY_MS) {
          woken = Date.now();
          indexer.wake();
        }
        return await handler(request, decode(match[1] ?? ''));
      } catch (error) {
        // Whoever gave up is told by the rejection, as fetch does it.
        if (request.signal.aborted) throw error;
        return failed(error, engine.warn);
      }
    }
    return new Response('404 page not found\n', {
      status: 404,
      headers: { 'content-type': 'text/plain; charset=utf-8' },
    });
  };
}

function failed(error: unknown, warn: (message: string) => void): Response {
  if (error instanceof Refused) return refusal(error);
  if (error instanceof StorageError) {
    return json(error.reason === 'full' ? 507 : 500, { error: `storage write failed: ${error.message}` });
  }
  warn(`unexpected ${error instanceof Error ? error.name : typeof error} ${errorCode(error)}`.trimEnd());
  return json(500, { error: 'internal error' });
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
