import { Refusal } from '../tool.ts';

export const refuse = (error: string): Refusal => new Refusal(error);

/** These tools promise errors as JSON with one field, and nothing around it. */
export const errorText = (error: string): string => JSON.stringify({ error });
