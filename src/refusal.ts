/**
 * Something the caller can put right, said in one sentence or a few that end with what to do next. It becomes an
 * `isError` result; nothing was changed upstream unless the sentence says so.
 */
export class Refusal extends Error {
  override readonly name: string = 'Refusal';
}
