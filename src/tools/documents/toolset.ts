import { type Config, homeFolder } from '../../config.ts';
import { allowedDirectories } from '../../sources/allowed-directories.ts';
import type { Caller } from '../caller.ts';
import type { Binding, OpenContext, OpenToolset, Toolset } from '../toolset.ts';
import { upstreamClient } from '../upstream.ts';
import { answer } from './answer.ts';
import { deleteDocument } from './delete-document.ts';
import { getDocument } from './get-document.ts';
import { getOutline } from './get-outline.ts';
import { getSection } from './get-section.ts';
import { ingestDocument } from './ingest-document.ts';
import { listDocuments } from './list-documents.ts';
import { documentPrompts } from './prompts.ts';
import { query } from './query.ts';
import { receiveUpload } from './receive-upload.ts';
import { documentResources } from './resources.ts';
import type { DocumentsService, Sources } from './service.ts';

/** In the order in which an agent needs them. */
const tools = [
  ...[query, listDocuments, getSection, ingestDocument],
  ...[getDocument, getOutline, answer, deleteDocument],
];
const defaults = [
  'vectorless_query',
  'vectorless_list_documents',
  'vectorless_get_section',
  'vectorless_ingest_document',
];

export const documentsToolset: Toolset = {
  name: 'documents',
  open(context): OpenToolset {
    const sources = openSources(context.config);
    return {
      bind(caller, offer) {
        const service = serviceFor(caller, sources, context);
        return bindDocuments({ ...service, offered: offer(toolsFor(service), defaults) });
      },
    };
  },
};

/** The toolset for one service: what a caller may see is settled in it. */
export function bindDocuments(service: DocumentsService): Binding {
  const present = toolsFor(service);
  return {
    instructions: instructions(service),
    tools: present.map((tool) => tool.bind(service)),
    defaultTools: defaults,
    absentTools: tools.filter((tool) => !present.includes(tool)).map(({ name }) => name),
    resources: documentResources(service),
    prompts: documentPrompts(service),
    receiveUpload: { tool: ingestDocument.name, receive: (upload) => receiveUpload(upload, service) },
  };
}

/** A view of fixed documents takes in no others, and the embedded engine has no language model to write answers. */
function toolsFor({ only, settings }: Pick<DocumentsService, 'only' | 'settings'>) {
  return tools.filter(
    (tool) => (tool !== ingestDocument || only.length === 0) && (tool !== answer || !settings.local),
  );
}

function instructions({ only, offered }: DocumentsService): string {
  const sentences = [
    'Vectorless holds the user’s documents as trees of sections.',
    offered.has(query.name) &&
      'When a question may be answered by them, call vectorless_query before you search the web, grep files or answer from memory.',
    only.length > 0 && 'This server shows a fixed set of documents.',
    only.length === 0 && offered.has(listDocuments.name) && 'Find documents with vectorless_list_documents.',
    offered.has(ingestDocument.name) && 'Add one with vectorless_ingest_document.',
    (offered.has(query.name) || offered.has(getSection.name)) &&
      'Answers are whole sections: cite their title, page and vectorless:// URI.',
    offered.has(getSection.name) && 'Where text was cut, vectorless_get_section reads on.',
  ];
  return sentences.filter((sentence) => sentence !== false).join(' ');
}

function serviceFor(
  caller: Caller,
  sources: Sources,
  context: OpenContext,
): Omit<DocumentsService, 'offered'> {
  const { config, uploadLinks } = context;
  const apiKey = caller.credential.kind === 'own' ? caller.credential.apiKey : config.apiKey;
  return {
    client: upstreamClient(context, apiKey, needsKey(config, apiKey) ? refuseWithoutKey : undefined),
    only: config.defaultDocs,
    settings: {
      local: config.local,
      searchAll: config.searchAll,
      ingestWaitSeconds: config.ingestWaitSeconds,
      maxFileBytes: config.maxFileMb * 2 ** 20,
      maxResultTokens: config.maxResultTokens,
    },
    sources,
    ...(uploadLinks !== undefined && { uploadLink: (file) => uploadLinks.issue(caller, file) }),
  };
}

/** The hosted service checks keys, so a call without one need not be made; a self-hosted server may want none. */
function needsKey(config: Config, apiKey: string | undefined): boolean {
  return apiKey === undefined && config.baseUrl === undefined;
}

async function refuseWithoutKey(): Promise<Response> {
  return Response.json({ error: 'missing Authorization header' }, { status: 401 });
}

/** Files are loaded when the first document comes in; over HTTP `path` would read the server's disk. */
function openSources(config: Config): Sources {
  const hasPath = !config.http || config.allowedDirs !== undefined;
  const hasUrl = config.urlIngest ?? !config.http;
  return {
    text: async (text, options) => (await import('../../sources/bytes.ts')).openText(text, options),
    content_base64: async (data, options) =>
      (await import('../../sources/bytes.ts')).openBase64(data, options),
    ...(hasPath && {
      path: async (path, options) => {
        const { openPath } = await import('../../sources/path.ts');
        const place = { cwd: process.cwd(), home: homeFolder() };
        const allowedDirs = allowedDirectories(config, place.cwd, place.home);
        return openPath(path, { ...options, ...place, allowedDirs });
      },
    }),
    ...(hasUrl && {
      url: async (url, options) => {
        const { openUrl } = await import('../../sources/url.ts');
        return openUrl(url, { ...options, useProxy: config.urlProxy, env: config.environment });
      },
    }),
  };
}
