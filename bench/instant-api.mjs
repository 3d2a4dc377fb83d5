// The upstream of the benches: it costs as little as a server can.
import { createServer } from 'node:http';

/** Answers at once, as a server of the kind without accounts does. */
export async function startInstantApi() {
  const section = {
    ...{
      id: 'sec_1',
      parent_id: '',
      title: 'Remote work',
      summary: '',
      token_count: 40,
      page_start: 3,
      page_end: 3,
    },
    heading_path: ['Place of work'],
    content: 'Up to 45 days a year may be worked from another country of the EEA. '.repeat(20),
  };
  const document = JSON.stringify({
    ...{ id: 'doc_1', title: 'Handbook', content_type: 'text/markdown', status: 'ready', byte_size: 100 },
    ...{
      error_message: '',
      metadata: {},
      created_at: '2026-01-01T00:00:00Z',
      updated_at: '2026-01-01T00:00:00Z',
    },
  });
  const result = JSON.stringify({
    document_id: 'doc_1',
    query: 'bench',
    strategy: 'auto',
    model: '',
    sections: [section, section, section],
    elapsed_ms: 1,
  });
  const server = createServer((request, response) => {
    request.resume();
    response.setHeader('content-type', 'application/json');
    response.end(request.method === 'GET' ? document : result);
  });
  // Longer than any pause between two blocks: a connection that is closed at that moment would be an error of the bench.
  server.keepAliveTimeout = 120_000;
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
