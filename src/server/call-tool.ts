import type { CallToolResult } from '@modelcontextprotocol/server';
import { type Log, placeOf } from '../log.ts';
import { repairArguments } from '../registry/arguments.ts';
import type { WireObject } from '../registry/schema.ts';
import type { BoundTool, ProgressUpdate, ToolResult } from '../tools/tool.ts';
import { limitCall } from './call-limit.ts';
import { describeFailure, type FailureFacts, failureMetaKey } from './failure.ts';

/** Clients that reset their timer on progress must hear something this often. */
const heartbeatMs = 8_000;

/** One finished call, for logs and metrics: metadata only. */
export interface CallRecord {
  readonly tool: string;
  readonly ok: boolean;
  readonly milliseconds: number;
  readonly requestId: string;
  readonly code?: FailureFacts['code'];
}

export interface CallOptions {
  readonly signal: AbortSignal;
  /** Sends a progress notification; absent when the client did not ask for any. */
  readonly notify?: ((update: ProgressUpdate) => void) | undefined;
  readonly log: Log;
  readonly observe?: ((record: CallRecord) => void) | undefined;
  /** From when the deadline counts; now when absent. */
  readonly arrivedAt?: number | undefined;
}

/** Runs a tool: repairs arguments, keeps the deadline, tells of progress, turns failures into results, logs one line. */
export async function callTool(
  tool: BoundTool,
  schema: WireObject,
  given: unknown,
  options: CallOptions,
): Promise<CallToolResult> {
  const started = options.arrivedAt ?? Date.now();
  const requestId = crypto.randomUUID();
  const { signal: cancelled, arrivedAt } = options;
  const limit = limitCall({ cancelled, arrivedAt, requestId });
  const pulse = options.notify === undefined ? undefined : startPulse(options.notify);
  let facts: FailureFacts | undefined;
  try {
    const { args, notes } = repairArguments(tool, schema, given);
    const running = tool.run(args, {
      signal: limit.signal,
      deadline: limit.deadline,
      progress: pulse?.report,
    });
    return success(await limit.within(running), notes);
  } catch (error) {
    const failure = describeFailure(error, tool.name, documentOf(given));
    facts = { request_id: requestId, ...failure.facts };
    if (facts.code === 'internal') {
      options.log.error('tool_crashed', { tool: tool.name, request_id: requestId, error: placeOf(error) });
    }
    return {
      isError: true,
      content: [{ type: 'text', text: tool.errorText(failure.text) }],
      _meta: { [failureMetaKey]: facts },
    };
  } finally {
    limit.end();
    pulse?.stop();
    report(tool, started, facts?.request_id ?? requestId, facts?.code, options);
  }
}

function report(
  { name }: BoundTool,
  started: number,
  requestId: string,
  code: FailureFacts['code'] | undefined,
  { log, observe }: CallOptions,
): void {
  const milliseconds = Date.now() - started;
  log.info('tool_call', { tool: name, request_id: requestId, status: code ?? 'ok', ms: milliseconds });
  observe?.({
    tool: name,
    ok: code === undefined,
    milliseconds,
    requestId,
    ...(code !== undefined && { code }),
  });
}

function success({ structured, text }: ToolResult, notes: readonly string[]): CallToolResult {
  if (notes.length === 0) return { content: [{ type: 'text', text }], structuredContent: structured };
  const said = typeof structured.note === 'string' ? [structured.note] : [];
  // Some clients show a model the structured half alone.
  const noted = { ...structured, note: [...said, ...notes].join(' ') };
  // A result that is promised as JSON stays JSON.
  const isJson = text === JSON.stringify(structured);
  return {
    content: [{ type: 'text', text: isJson ? JSON.stringify(noted) : `${text}\n\nNote: ${notes.join(' ')}` }],
    structuredContent: noted,
  };
}

/** Keeps progress strictly increasing and repeats the last word when a tool is silent for long. */
function startPulse(notify: (update: ProgressUpdate) => void): {
  report(update: ProgressUpdate): void;
  stop(): void;
} {
  let last: ProgressUpdate = { progress: 0, message: 'working' };
  const send = (update: ProgressUpdate) => {
    last = update;
    timer.refresh();
    notify(update);
  };
  const timer = setInterval(() => send({ ...last, progress: last.progress + 0.01 }), heartbeatMs);
  return {
    report: (update) => send({ ...update, progress: Math.max(update.progress, last.progress + 0.01) }),
    stop: () => clearInterval(timer),
  };
}

function documentOf(given: unknown): string | undefined {
  if (typeof given !== 'object' || given === null || !('document_id' in given)) return undefined;
  return typeof given.document_id === 'string' ? given.document_id.slice(0, 100) : undefined;
}
