/** Answers in the form of the API: one JSON value and a line end, `{"error": …}` when something is wrong. */

export function json(status: number, value: unknown): Response {
  return new Response(`${JSON.stringify(value)}\n`, {
    status,
    headers: { 'content-type': 'application/json' },
  });
}

/** Thrown by handlers: the request cannot be served, and this is the answer. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export function refusal({ status, message }: Refused): Response {
  return json(status, { error: message });
}
