/**
 * Something the caller can put right, said in one sentence or a few that end with what to do next. It becomes an
 * `isError` result; nothing was changed upstream unless the sentence says so.
 */
export class Refusal extends Error {
  override readonly name: string = 'Refusal';
  /** The result's text is the message alone, without the server's own additions. */
  readonly verbatim: boolean;

  constructor(message: string, options: { verbatim?: boolean } = {}) {
    super(message);
    this.verbatim = options.verbatim ?? false;
  }
}
