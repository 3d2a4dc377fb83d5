/** A client that goes away takes its reads upstream with it, whatever it had asked for. (An upload may finish.) */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FakeApi, startFakeApi } from '../support/fake-api.ts';
import { type HttpChild, spawnHttp } from '../support/http-child.ts';
import { askUntilLeft, callTool, modern, rpc } from '../support/http-client.ts';
import { tokenMode, until, withToken } from '../support/http-service.ts';
import { openSse } from '../support/sse-client.ts';

let api: FakeApi;
let server: HttpChild;
let documentId: string;
beforeAll(async () => {
  api = await startFakeApi({ dialect: 'E' });
  documentId = api.add({ content: '# Stove\n\nIt burns birch.\n' });
  server = await spawnHttp({ env: { ...tokenMode, VECTORLESS_BASE_URL: api.url } });
  api.faults.stall('**', 'headers');
});
afterAll(async () => {
  await server?.close();
  await api?.close();
});

const template = { type: 'ref/resource', uri: 'vectorless://documents/{document_id}' };
const prompt = { type: 'ref/prompt', name: 'summarize-document' };
const argument = { name: 'document_id', value: 'doc' };
const requests = [
  ['a tool', () => callTool('vectorless_query', { query: 'birch', document_id: documentId })],
  ['a resource', () => rpc('resources/read', { uri: `vectorless://documents/${documentId}` })],
  ['a list of resources', () => rpc('resources/list')],
  ['a completion for a resource', () => rpc('completion/complete', { ref: template, argument })],
  ['a completion for a prompt', () => rpc('completion/complete', { ref: prompt, argument })],
] as const;

/** Sends the request and gives what makes its client vanish. */
type Send = (message: object) => Promise<() => void>;

const overHttp =
  (frame: (message: object) => { body: object; headers: Record<string, string> }): Send =>
  async (message) => {
    const { body, headers } = frame(message);
    return askUntilLeft(`${server.url}/mcp`, body, { ...withToken, ...headers }).leave;
  };

const overSse: Send = async (message) => {
  const client = await openSse(server.url, withToken);
  await client.post(message);
  return () => client.leave();
};

const legs = [
  ['2025', overHttp((body) => ({ body, headers: {} }))],
  ['2026', overHttp(modern)],
  ['SSE', overSse],
] as const;

test.each(legs.flatMap(([leg, send]) => requests.map(([what, make]) => [leg, what, send, make] as const)))(
  '%s: %s',
  // The bound is the promise; a busy machine gets another try at it.
  { retry: 2 },
  async (_leg, _what, send, make) => {
    const before = api.requests().length;
    const leave = await send(make());
    await until(() => api.requests().length > before && api.openSockets() > 0, 'it is asked upstream');
    const left = Date.now();
    leave();
    await until(() => api.openSockets() === 0, 'the upstream is let go');
    expect(Date.now() - left).toBeLessThan(200);
  },
);
