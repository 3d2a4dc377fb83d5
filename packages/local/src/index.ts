export interface LocalEngineOptions {
  /** Folder that holds the documents; created when missing. */
  readonly dir: string;
}

export interface LocalEngine {
  /** Answers `/v1` requests as a Vectorless server does. */
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}
