import type { Client } from '@modelcontextprotocol/client';
import type { VectorlessClient } from '@vectorless/sdk';
import { createLog, type Log } from '../../src/log.ts';
import { createServer } from '../../src/server/server.ts';
import { openBase64, openText } from '../../src/sources/bytes.ts';
import { localCaller } from '../../src/tools/caller.ts';
import type { DocumentsService, DocumentsSettings, Sources } from '../../src/tools/documents/service.ts';
import { bindDocuments } from '../../src/tools/documents/toolset.ts';
import { connectInMemory } from './connect.ts';

const allTools: ReadonlySet<string> = new Set(
  ['query', 'list_documents', 'get_section', 'ingest_document'].map((name) => `vectorless_${name}`),
);

export const silentLog: Log = createLog('silent', () => {});

export interface Setup extends Partial<Omit<DocumentsService, 'client' | 'settings' | 'sources'>> {
  readonly settings?: Partial<DocumentsSettings>;
  readonly sources?: Partial<Sources>;
}

/** The documents tools over a given client, with settings as they are by default. */
export function documentsService(
  client: VectorlessClient,
  { settings, sources, ...rest }: Setup = {},
): DocumentsService {
  return {
    client,
    only: [],
    offered: allTools,
    settings: {
      local: false,
      searchAll: false,
      ingestWaitSeconds: 5,
      maxFileBytes: 2 ** 20,
      maxResultTokens: 8000,
      ...settings,
    },
    sources: {
      text: async (text, options) => openText(text, options),
      content_base64: async (data, options) => openBase64(data, options),
      ...sources,
    },
    ...rest,
  };
}

/** A real MCP client in front of the documents tools. `arrivedAt`: when its calls are taken to have come in. */
export async function connectDocuments(
  client: VectorlessClient,
  setup: Setup = {},
  arrivedAt?: number,
): Promise<Client> {
  const binding = bindDocuments(documentsService(client, setup));
  const registry = { bind: () => binding, close: async () => {} };
  return connectInMemory(createServer({ registry, caller: localCaller, log: silentLog, arrivedAt }));
}
