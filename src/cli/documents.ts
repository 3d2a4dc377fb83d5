import { openSession, ownOptions } from './session.ts';
import type { Surroundings } from './terminal.ts';

const documentsUsage = `Usage: vectorless-mcp documents [--status ready|processing|failed] [--title WORDS] [flags of the server]

Lists the documents as an agent sees them.`;

const queryUsage = `Usage: vectorless-mcp query "QUESTION" [--document ID] [--max-sections N] [flags of the server]

Asks the documents and prints what an agent would see.`;

export async function documents(argv: readonly string[], around: Surroundings): Promise<number> {
  const { print } = around.terminal;
  if (argv.includes('--help')) return say(print, documentsUsage);
  const { flags, options } = ownOptions(argv, ['status', 'title']);
  const session = await openSession(flags, around);
  try {
    let cursor: unknown;
    do {
      const { ok, text, structured } = await session.call('vectorless_list_documents', {
        ...{ limit: 100, cursor, status: options.status, title_contains: options.title },
      });
      print(text);
      if (!ok) return 1;
      cursor = structured.next_cursor;
    } while (cursor !== undefined);
    return 0;
  } finally {
    await session.close();
  }
}

export async function query(argv: readonly string[], around: Surroundings): Promise<number> {
  const { print } = around.terminal;
  const { words, flags, options } = ownOptions(argv, ['document', 'max-sections']);
  if (argv.includes('--help')) return say(print, queryUsage);
  if (words.length === 0) throw new TypeError(`Say what to ask.\n${queryUsage}`);
  const session = await openSession(flags, around);
  try {
    const { ok, text } = await session.call('vectorless_query', {
      query: words.join(' '),
      document_ids: options.document,
      max_sections: options['max-sections'],
    });
    print(text);
    return ok ? 0 : 1;
  } finally {
    await session.close();
  }
}

function say(print: (line: string) => void, text: string): number {
  print(text);
  return 0;
}
