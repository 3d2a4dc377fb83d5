// The upstream calls of one vectorless_query with a document id: look at the document, then ask.
const base = process.env.VECTORLESS_BASE_URL;
let undici;

export async function upstreamQuery({ document_id, query }) {
  undici ??= (await import('undici')).default;
  await request(`${base}/v1/documents/${document_id}`, { method: 'GET' });
  const result = await request(`${base}/v1/query`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ document_id, query }),
  });
  const text = result.sections.map((section) => `## ${section.title}\n\n${section.content}`).join('\n\n');
  return { content: [{ type: 'text', text }], structuredContent: { sections: result.sections } };
}

async function request(url, options) {
  const { body } = await undici.request(url, options);
  return body.json();
}
