// Talks to the embedded engine as the SDK does: requests in, responses out.
import { createLocalEngine } from '../../dist/local.js';

export function openEngine(dir) {
  const engine = createLocalEngine({ dir, onWarning: (message) => console.error(message) });
  async function call(method, path, body, headers) {
    const response = await engine.fetch(new Request(`http://local${path}`, { method, body, headers }));
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text ? JSON.parse(text) : undefined;
  }
  return {
    call,
    close: () => engine.close(),
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, JSON.stringify(body), { 'content-type': 'application/json' }),
    async ingest({ name, type, bytes }) {
      const form = new FormData();
      form.append('file', new File([bytes], name, { type }));
      const { document_id } = await call('POST', '/v1/documents', form, { 'idempotency-key': name });
      return document_id;
    },
  };
}
