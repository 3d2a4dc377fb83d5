import * as z from 'zod';
import type { DocumentSource } from '../../sources/document-source.ts';
import { mimeOf } from '../../sources/types.ts';
import { type Call, Refusal, tool } from '../tool.ts';
import { inline, quoted } from './fence.ts';
import { uploadType } from './receive-upload.ts';
import type { DocumentsService, Sources } from './service.ts';
import { settle } from './settle.ts';
import { present } from './shapes.ts';
import { upload } from './upload.ts';

const input = z.object({
  path: z.string().min(1).optional().describe('File on this computer. Prefer it for files.'),
  url: z.string().min(1).optional().describe('https address of a file.'),
  text: z.string().min(1).optional().describe('Plain text or Markdown written out.'),
  content_base64: z.string().min(1).optional().describe('Last resort, for files under 8 KB only.'),
  filename: z.string().min(1).max(1_000).optional().describe('Name with extension: "report.pdf".'),
  content_type: z.string().min(1).max(200).optional().describe('MIME type, if the name is unclear.'),
  sha256: z.string().min(1).max(200).optional().describe('Of the bytes, if known.'),
  wait: z.boolean().default(true).describe('Wait until it can be searched.'),
  retry: z.boolean().default(false).describe('Try again what failed.'),
});

const output = z.object({
  document_id: z.string().optional(),
  status: z.enum(['ready', 'processing', 'failed', 'awaiting_upload']),
  title: z.string().optional(),
  byte_size: z.int().optional(),
  sha256: z.string().optional(),
  already_ingested: z.boolean().optional(),
  error: z.string().optional(),
  upload_url: z.string().optional(),
  expires_at: z.string().optional(),
});

type Input = z.output<typeof input>;
export type IngestOutput = z.output<typeof output>;

const ways = ['path', 'url', 'text', 'content_base64'] as const;

export const ingestDocument = tool<DocumentsService>()({
  name: 'vectorless_ingest_document',
  title: 'Ingest document',
  access: 'write',
  reachesOut: ({ sources }) => sources.url !== undefined,
  description: describe,
  input,
  output,
  example: ({ uploadLink }) =>
    uploadLink === undefined
      ? { text: '# Notes\n\nFirst meeting…', filename: 'notes.md' }
      : { filename: 'report.pdf' },
  aliases: {
    ...{ file: 'path', file_path: 'path', filepath: 'path', uri: 'url', link: 'url' },
    ...{ content: 'text', markdown: 'text', base64: 'content_base64', data: 'content_base64' },
    ...{ name: 'filename', title: 'filename', file_name: 'filename', mime_type: 'content_type' },
  },
  hides: ({ sources }) => ways.filter((way) => sources[way] === undefined),

  async run(args, { service, ...call }): Promise<IngestOutput> {
    const way = chosenWay(args, service);
    if (way === undefined) return awaitUpload(args, service);
    const source = await open(way, args, service, call);
    try {
      const ingested = await upload(source, args.retry, { service, ...call });
      const waitSeconds = args.wait ? service.settings.ingestWaitSeconds : 0;
      const state = await settle(ingested, waitSeconds, { service, ...call });
      return present({
        document_id: ingested.documentId,
        ...state,
        byte_size: source.byteSize,
        sha256: source.sha256,
        already_ingested: ingested.already ? true : undefined,
      });
    } finally {
      await source.close();
    }
  },

  render(result) {
    const name = `${result.document_id}${result.title === undefined ? '' : ` (${quoted(result.title)})`}`;
    const size = result.byte_size === undefined ? '' : ` ${result.byte_size} bytes, sha256 ${result.sha256}.`;
    const before = result.already_ingested === true ? ' It had been ingested before; nothing was added.' : '';
    switch (result.status) {
      case 'ready':
        return `${name} is ready.${before}${size}\nNext: vectorless_query ${JSON.stringify({ document_id: result.document_id, query: '…' })}`;
      case 'processing':
        return `${name} is uploaded and still being processed.${before}${size}\nNext: call vectorless_list_documents ${JSON.stringify({ document_ids: [result.document_id] })} until its status is ready, then vectorless_query. Ingesting the same file again only goes on waiting.`;
      case 'failed':
        return `${name} could not be processed: ${inline(result.error ?? 'no reason was given', 300).replace(/\.$/, '')}.${before}${size}\nNext: mend the file and ingest it, or call again with retry: true if the cause has gone.`;
      case 'awaiting_upload':
        return `Send the file to this link before ${result.expires_at}; it works once:\ncurl -T FILE ${JSON.stringify(result.upload_url)}\nOr give the user the link to open in a browser. The reply holds the document id.`;
    }
  },
});

function describe({ sources, uploadLink, settings }: DocumentsService): string {
  const files = [sources.path && '`path`', sources.url && '`url`']
    .filter((way) => way !== undefined)
    .join(' or ');
  const more = settings.local ? ' PowerPoint, EPUB,' : '';
  const parts = [
    `Add a document (PDF, Word, Excel,${more} CSV, HTML, Markdown, text) so that it can be searched.`,
  ];
  if (files !== '') parts.push(`For a file give ${files}, never its bytes.`);
  if (uploadLink !== undefined)
    parts.push('For a file on the user’s computer give only `filename`: you get an upload link.');
  parts.push('Returns document_id and status; the same file again resumes, it is never stored twice.');
  parts.push('When ready, call vectorless_query with the id.');
  return parts.join(' ');
}

/** How a file gets here whole. */
function fileWays({ sources, uploadLink }: DocumentsService): string {
  const ways = [
    sources.path && 'path',
    sources.url && 'url',
    uploadLink && 'an upload link (a call with `filename` alone gives one)',
  ].filter((way) => way !== undefined);
  return ways.length === 0 ? 'another way' : ways.join(' or ');
}

function chosenWay(args: Input, { sources, uploadLink }: DocumentsService): keyof Sources | undefined {
  const given = ways.filter((way) => args[way] !== undefined);
  if (given.length === 1) return given[0];
  const offered = ways.filter((way) => sources[way] !== undefined).map((way) => `\`${way}\``);
  if (given.length > 1) {
    throw new Refusal(
      `Give only one of ${offered.join(', ')}; this call gave ${given.join(' and ')}. Nothing was sent.`,
    );
  }
  if (uploadLink !== undefined && args.filename !== undefined) return undefined;
  const orLink = uploadLink === undefined ? '' : ', or `filename` alone for an upload link';
  throw new Refusal(`Say what to ingest: give one of ${offered.join(', ')}${orLink}.`);
}

async function open(
  way: keyof Sources,
  args: Input,
  service: DocumentsService,
  call: Call,
): Promise<DocumentSource> {
  const opener = service.sources[way];
  const given = args[way];
  if (opener === undefined || given === undefined)
    throw new Refusal(`\`${way}\` is not available on this server.`);
  return opener(given, {
    maxBytes: service.settings.maxFileBytes,
    local: service.settings.local,
    fileWays: fileWays(service),
    sha256: args.sha256,
    filename: args.filename,
    contentType: args.content_type,
    signal: call.signal,
    deadline: call.deadline,
  });
}

function awaitUpload(args: Input, service: DocumentsService): IngestOutput {
  const filename = args.filename ?? '';
  const type = uploadType(filename, args.content_type ?? '', service);
  const link = service.uploadLink?.({
    filename,
    contentType: mimeOf(type),
    maxBytes: service.settings.maxFileBytes,
  });
  if (link === undefined) throw new Refusal('Say what to ingest: give text, a url or a path.');
  return { status: 'awaiting_upload', upload_url: link.url, expires_at: link.expiresAt.toISOString() };
}
