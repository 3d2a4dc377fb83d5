import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import type { Caller } from './caller.ts';
import type { BoundTool, Call } from './tool.ts';

/** A family of tools over one kind of data, with its own backend. One folder under `tools/`, one line in the registry. */
export interface Toolset {
  readonly name: string;
  /** Opens the backend once for the process. Must be cheap: it runs before the first answer. */
  open(context: OpenContext): OpenToolset | Promise<OpenToolset>;
}

export interface OpenContext {
  readonly config: Config;
  readonly log: Log;
  /** Over HTTP: makes links through which a caller uploads a file. */
  readonly uploadLinks?: UploadLinks | undefined;
  /** Embedded mode: answers in place of the network. */
  readonly upstream?: ((request: Request) => Promise<Response>) | undefined;
}

/** Names of those tools that policy leaves a caller. */
export type Offer = (
  tools: readonly Pick<BoundTool, 'name' | 'access'>[],
  defaults?: readonly string[],
) => ReadonlySet<string>;

export interface OpenToolset {
  /**
   * Cheap: over HTTP it runs for every request. All tools are bound, whatever is offered: `offer` is for texts, which
   * must not send an agent to a tool that it does not have.
   */
  bind(caller: Caller, offer: Offer): Binding;
  close?(): Promise<void>;
}

/** What one caller gets from a toolset. The registry takes away what policy forbids. */
export interface Binding {
  /** A sentence or two for the server's instructions: what these tools are for. */
  readonly instructions: string;
  readonly tools: readonly BoundTool[];
  /** Tools that exist without `VECTORLESS_TOOLS`; all when absent. */
  readonly defaultTools?: readonly string[] | undefined;
  /** Names of tools that exist, but not with these settings: to choose one in `VECTORLESS_TOOLS` is no mistake. */
  readonly absentTools?: readonly string[] | undefined;
  readonly resources: readonly BoundResource[];
  readonly prompts: readonly BoundPrompt[];
  /** Takes the bytes that arrive on an upload link, for as long as `tool` is published. */
  readonly receiveUpload?:
    | { readonly tool: string; receive(upload: Upload): Promise<UploadReceipt> }
    | undefined;
}

/** A resource that can be read: all of them are `read` access. */
export interface BoundResource {
  /** Tools that show the same data: the resource exists while one of them is published. */
  readonly reachedBy: readonly string[];
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  /** A fixed URI, or an RFC 6570 template whose variables are passed to `read`. */
  readonly uri: string;
  readonly isTemplate: boolean;
  list?(call: Call): Promise<readonly ResourceEntry[]>;
  /** Throws `ResourceMissing` for a URI behind which there is nothing. */
  read(variables: Readonly<Record<string, string>>, call: Call): Promise<string>;
  /** By template variable: values that begin with what was typed. */
  readonly complete?: Readonly<Record<string, Completer>> | undefined;
}

export interface ResourceEntry {
  readonly uri: string;
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly mimeType?: string | undefined;
}

export type Completer = (
  typed: string,
  others: Readonly<Record<string, string>>,
  call: Call,
) => Promise<readonly string[]>;

export class ResourceMissing extends Error {
  override readonly name = 'ResourceMissing';
}

export interface BoundPrompt {
  /** Tools that the prompt tells the model to call: it exists while all of them are published. */
  readonly needs: readonly string[];
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  readonly complete?: Readonly<Record<string, Completer>> | undefined;
  /** The text of the one user message. */
  render(args: Readonly<Record<string, string>>): string;
}

export interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
}

/** Makes and opens sealed upload links; lives in the HTTP transport. */
export interface UploadLinks {
  issue(caller: Caller, file: UploadFile): { readonly url: string; readonly expiresAt: Date };
}

export interface UploadFile {
  readonly filename: string;
  readonly contentType: string;
  readonly maxBytes: number;
}

export interface Upload {
  readonly filename: string;
  readonly contentType: string;
  /** From Content-Length; absent for a chunked body. */
  readonly byteSize?: number | undefined;
  readonly body: ReadableStream<Uint8Array>;
  readonly idempotencyKey: string;
  readonly signal: AbortSignal;
}

export interface UploadReceipt {
  readonly documentId: string;
  readonly status: string;
}
