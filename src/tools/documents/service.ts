import type { VectorlessClient } from '@vectorless/sdk';
import type { DocumentSource, SourceLimits } from '../../sources/document-source.ts';
import type { Call } from '../tool.ts';
import type { UploadFile } from '../toolset.ts';

/** All that the documents tools work with: the API, what of it this caller may see, and the server's settings. */
export interface DocumentsService {
  readonly client: VectorlessClient;
  /** When not empty, the server is a view of exactly these documents. */
  readonly only: readonly string[];
  readonly settings: DocumentsSettings;
  /** Tools that the caller has, by name: texts do not send an agent to others. */
  readonly offered: ReadonlySet<string>;
  readonly sources: Sources;
  /** Over HTTP: a link through which a person or a program sends the bytes. */
  readonly uploadLink?:
    | ((file: UploadFile) => { readonly url: string; readonly expiresAt: Date })
    | undefined;
}

/** One call and what it works with. */
export type Context = Call & { readonly service: DocumentsService };

export interface DocumentsSettings {
  /** The embedded engine answers. */
  readonly local: boolean;
  readonly searchAll: boolean;
  readonly ingestWaitSeconds: number;
  readonly maxFileBytes: number;
  readonly maxResultTokens: number;
}

/** What an agent says of the bytes it hands over. */
export interface SourceOptions extends SourceLimits {
  readonly signal: AbortSignal;
  /** `Date.now()` by which the bytes must be there. */
  readonly deadline: number;
  readonly filename?: string | undefined;
  readonly contentType?: string | undefined;
}

type Open = (given: string, options: SourceOptions) => Promise<DocumentSource>;

/** Ways of getting at a document's bytes. One that is absent does not exist for the caller. */
export interface Sources {
  readonly path?: Open | undefined;
  readonly url?: Open | undefined;
  readonly text: Open;
  readonly content_base64: Open;
}
