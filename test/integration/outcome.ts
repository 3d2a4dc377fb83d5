import { expect } from 'vitest';
import { textOf } from '../support/connect.ts';

/** A tool's result, as a test looks at it. */
export interface Outcome {
  readonly isError: boolean;
  readonly text: string;
  readonly structured: Record<string, unknown>;
  /** The machine-readable half of a failure. */
  readonly failure: Record<string, unknown>;
  readonly milliseconds: number;
}

/** Both major versions of the client have this. */
interface Caller {
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
}

interface ToolResult {
  readonly isError?: boolean;
  readonly structuredContent?: Record<string, unknown>;
  readonly _meta?: Record<string, unknown>;
  readonly content?: unknown;
}

/** Calls a tool by its short name; a failure comes back like a success, for the test to judge. */
export async function call(
  client: Caller,
  tool: 'query' | 'list_documents' | 'get_section' | 'ingest_document',
  args: Record<string, unknown> = {},
): Promise<Outcome> {
  const started = Date.now();
  const result = (await client.callTool({ name: `vectorless_${tool}`, arguments: args })) as ToolResult;
  const failure = result._meta?.['dev.vectorless/error'] as Record<string, unknown> | undefined;
  if (result.isError) expect(result).not.toHaveProperty('structuredContent');
  return {
    isError: result.isError ?? false,
    text: textOf(result),
    structured: result.structuredContent ?? {},
    failure: failure ?? {},
    milliseconds: Date.now() - started,
  };
}

/** As `call`, for what must succeed. */
export async function succeed(...given: Parameters<typeof call>): Promise<Outcome> {
  const outcome = await call(...given);
  expect(outcome.isError, outcome.text).toBe(false);
  return outcome;
}

/** A list in the structured half of a result. */
export function rows(outcome: Outcome, name: string): Record<string, unknown>[] {
  const value = outcome.structured[name];
  expect(Array.isArray(value), `${name} in ${JSON.stringify(outcome.structured).slice(0, 300)}`).toBe(true);
  return value as Record<string, unknown>[];
}

/** Reads a section page by page as an agent would, and joins the pages. */
export async function readWhole(client: Caller, sectionId: string): Promise<{ text: string; pages: number }> {
  let text = '';
  let offset: unknown = 0;
  for (let pages = 1; ; pages += 1) {
    const { structured } = await succeed(client, 'get_section', { section_id: sectionId, offset });
    expect(structured.offset).toBe(text.length);
    text += structured.content;
    offset = structured.next_offset;
    if (offset === undefined) {
      expect(structured.total_chars).toBe(text.length);
      return { text, pages };
    }
    expect(pages).toBeLessThan(500);
  }
}
