// What an agent sees: starts the built server with the embedded engine, ingests documents, asks questions.
// Usage: npm run demo [-- FILE "question"]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const root = fileURLToPath(new URL('..', import.meta.url));
const [file, question] = process.argv.slice(2);
const documents =
  file === undefined
    ? ['samples/handbook.md', 'samples/handbook.pdf'].map((name) => join(root, name))
    : // npm runs scripts in the checkout, and says where it was called.
      [resolve(process.env.INIT_CWD ?? '.', file)];
const questions =
  file === undefined
    ? ['How many days a year may I work from abroad?', 'How many days of leave after 7 years of service?']
    : [question ?? 'What is this document about?'];

const store = mkdtempSync(join(tmpdir(), 'vectorless-demo-'));
const client = new Client({ name: 'demo', version: '1.0.0' });
await client.connect(
  new StdioClientTransport({
    command: process.execPath,
    args: [join(root, 'dist/index.js'), '--local'],
    env: {
      VECTORLESS_LOCAL_DIR: store,
      VECTORLESS_ALLOWED_DIRS: dirname(documents[0]),
      VECTORLESS_INGEST_WAIT: '45',
      VECTORLESS_LOG_LEVEL: 'warn',
    },
    stderr: 'inherit',
  }),
);

try {
  const { tools } = await client.listTools();
  console.log(`Tools: ${tools.map((tool) => tool.name).join(', ')}`);
  for (const path of documents) {
    const ingested = await call('vectorless_ingest_document', { path });
    const ready = await untilReady(ingested.structuredContent);
    if (ready.status !== 'ready') process.exitCode = 1;
    else
      for (const query of questions)
        await call('vectorless_query', { query, document_id: ready.document_id });
  }
} finally {
  await client.close();
  rmSync(store, { recursive: true, force: true });
}

/** Large documents take longer than one call may wait. */
async function untilReady(state) {
  let current = state ?? { status: 'failed' };
  const deadline = Date.now() + 300_000;
  while (current.status === 'processing' && Date.now() < deadline) {
    await new Promise((done) => setTimeout(done, 1000));
    const result = await client.callTool({
      name: 'vectorless_list_documents',
      arguments: { document_ids: [current.document_id] },
    });
    current = result.structuredContent?.documents[0] ?? current;
  }
  return current;
}

async function call(name, args) {
  console.log(`\n─── ${name} ${JSON.stringify(args)}`);
  const started = performance.now();
  const result = await client.callTool({ name, arguments: args }, { timeout: 60_000 });
  console.log(result.content.map((block) => block.text).join('\n'));
  console.log(`─── ${Math.round(performance.now() - started)} ms`);
  if (result.isError) process.exitCode = 1;
  return result;
}
