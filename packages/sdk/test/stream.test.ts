import { type QueryEvent, Vectorless } from '@vectorless/sdk';
import { describe, expect, it } from 'vitest';
import { readEvents } from '../src/stream.ts';
import { failureOf } from './support/failure.ts';
import { allOver, json, plain, type Step, serve, stall, until } from './support/server.ts';

async function* pieces(...parts: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield typeof part === 'string' ? Buffer.from(part) : part;
}

async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of source) items.push(item);
  return items;
}

describe('server-sent events', () => {
  it.each([
    ['LF', '\n'],
    ['CRLF', '\r\n'],
    ['CR', '\r'],
  ])('with %s, comments and several data lines are the same', async (_name, end) => {
    const lines = [': hello', 'event: a', 'data: 1', 'data:2', 'data', 'id: 7', '', 'data: x: y', ''];
    const bytes = Buffer.from(lines.map((line) => line + end).join(''));
    const expected = [
      { event: 'a', data: '1\n2\n' },
      { event: 'message', data: 'x: y' },
    ];
    expect(await collect(readEvents(pieces(bytes)))).toEqual(expected);
    const single = [...bytes].map((byte) => Uint8Array.of(byte));
    expect(await collect(readEvents(pieces(...single)))).toEqual(expected);
  });

  it('may cut a character in two', async () => {
    const bytes = Buffer.from('data: 報\n\n');
    const events = await collect(readEvents(pieces(bytes.subarray(0, 7), bytes.subarray(7))));
    expect(events).toEqual([{ event: 'message', data: '報' }]);
  });

  it('drop an event that is not complete', async () => {
    expect(await collect(readEvents(pieces('data: 1\n')))).toEqual([]);
  });

  it('have a bound', async () => {
    async function* forever() {
      for (;;) yield Buffer.alloc(1 << 20, 'x');
    }
    await expect(collect(readEvents(forever()))).rejects.toThrow('too long');
  });
});

const section = { id: 'sec_1', parent_id: '', title: 'A', summary: '', token_count: 1, content: 'text' };
const record = (event: string, fields: object) =>
  `event: ${event}\ndata: ${JSON.stringify({ type: event, ...fields })}\n\n`;
const stream = (...records: string[]) =>
  plain(records.join(''), 200, { 'content-type': 'text/event-stream' });
const ask = async (step: Step, events: QueryEvent[] = []) => {
  const api = await serve(step);
  const client = new Vectorless({ baseUrl: api.url, maxRetries: 0 });
  for await (const event of client.queryStream({ documentId: 'doc_1', query: 'q' })) events.push(event);
  return { events, seen: api.seen };
};

describe('queryStream', () => {
  it('yields sections as they come, each once, and fills in the zeros that the server leaves out', async () => {
    const { events, seen } = await ask(
      stream(
        record('started', { total_slices: 2, strategy: 'chunked-tree' }),
        record('slice_started', { total_slices: 2 }),
        record('section_selected', { section, total_slices: 2 }),
        record('section_selected', { section, slice_index: 1, total_slices: 2 }),
        record('slice_completed', { slice_index: 1, total_slices: 2 }),
        record('something_new', {}),
        record('completed', {}),
      ),
    );
    expect(events).toEqual([
      { type: 'started', totalSlices: 2 },
      { type: 'progress', sliceIndex: 0, totalSlices: 2 },
      { type: 'section', section: expect.objectContaining({ id: 'sec_1', content: 'text' }) },
      { type: 'progress', sliceIndex: 1, totalSlices: 2 },
      { type: 'completed', elapsedMs: 0 },
    ]);
    expect(seen[0]).toMatchObject({ path: '/v1/query/stream', headers: { accept: 'text/event-stream' } });
  });

  it('throws what the server reports as an event', async () => {
    const events: QueryEvent[] = [];
    const failing = stream(record('started', {}), record('error', { message: 'provider down' }));
    const failure = await failureOf(ask(failing, events));
    expect(failure).toMatchObject({ code: 'server_error', message: 'provider down' });
    expect(failure.requestId).toBeDefined();
    expect(events).toHaveLength(1);
    const other = stream('event: error\ndata: {"error":"load tree: db: not found"}\n\n');
    expect((await failureOf(ask(other))).code).toBe('not_found');
  });

  it('throws when the stream ends before it is complete', async () => {
    const events: QueryEvent[] = [];
    const failure = await failureOf(ask(stream(record('section_selected', { section })), events));
    expect(failure).toMatchObject({ code: 'connection', message: expect.stringContaining('ended before') });
    expect(events).toHaveLength(1);
  });

  it('throws when the connection is lost halfway', async () => {
    const failure = await failureOf(
      ask((_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(record('started', {}));
        setTimeout(() => response.destroy(), 20);
      }),
    );
    expect(failure.code).toBe('connection');
  });

  it.each<[string, Step]>([
    ['has no such route', plain('404 page not found\n', 404)],
    ['has no such route, says a gateway', json({ message: 'no route' }, 404)],
    ['does not allow the method', plain('', 405)],
    ['says 501', json({ error: 'strategy does not support streaming' }, 501)],
    [
      'sends a single error event',
      stream(record('error', { message: 'inner strategy does not support streaming' })),
    ],
    ['cannot flush', json({ error: 'streaming requires http.Flusher' }, 500)],
    ['answers in JSON', json({ sections: [] })],
  ])('is not supported where the server %s', async (_what, step) => {
    const events: QueryEvent[] = [];
    expect((await failureOf(ask(step, events))).code).toBe('not_supported');
    expect(events).toEqual([]);
  });

  it('tells a missing document from a missing route', async () => {
    expect((await failureOf(ask(json({ error: 'document not found' }, 404)))).code).toBe('not_found');
  });

  it('refuses an event that is no JSON', async () => {
    expect((await failureOf(ask(stream('data: oops\n\n')))).code).toBe('bad_response');
  });

  it('is under the deadline and the signal', async () => {
    const halfway: Step = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(record('started', {}));
    };
    const api = await serve(halfway, stall, halfway);
    const client = new Vectorless({ baseUrl: api.url });
    const question = { documentId: 'doc_1', query: 'q' };
    const timedOut = collect(client.queryStream(question, { timeoutMs: 1_000 }));
    expect((await failureOf(timedOut)).code).toBe('timeout');
    const { signal } = { signal: AbortSignal.timeout(300) };
    expect((await failureOf(collect(client.queryStream(question, { signal })))).code).toBe('aborted');
    // Leaving the loop lets go of the connection, too.
    for await (const event of client.queryStream(question)) {
      expect(event.type).toBe('started');
      break;
    }
    await until(() => allOver(api), 'connections closed');
  });
});
