import { Refusal } from '../tool.ts';

/** These tools promise errors as JSON with one field, and nothing around it. */
export function refuse(error: string): Refusal {
  return new Refusal(JSON.stringify({ error }), { verbatim: true });
}
