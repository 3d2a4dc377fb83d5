import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Log } from '../log.ts';
import type { Call } from '../tools/tool.ts';
import { type BoundResource, ResourceMissing } from '../tools/toolset.ts';
import { completers } from './completers.ts';
import { describeFailure } from './failure.ts';

/** As for tools: what a read plans with. */
const planWithinMs = 45_000;

/** Documents change under the user's hands, and what one caller reads is nobody else's. */
const cacheHint = { ttlMs: 15_000, cacheScope: 'private' } as const;

export function publishResource(server: McpServer, resource: BoundResource, log: Log): void {
  const { name, title, description, mimeType, uri } = resource;
  const config = { title, description, mimeType, cacheHint };
  if (!resource.isTemplate) {
    server.registerResource(name, uri, config, (asked, context) => read(resource, asked, {}, context, log));
    return;
  }
  const template = new ResourceTemplate(uri, {
    list: resource.list === undefined ? undefined : (context) => list(resource, context, log),
    complete: completers(resource.complete, log),
  });
  server.registerResource(name, template, config, (asked, variables, context) =>
    read(resource, asked, variables, context, log),
  );
}

/** Without its documents a client still gets the list of what else there is. */
async function list(resource: BoundResource, context: ServerContext, log: Log) {
  try {
    const entries = (await resource.list?.(callOf(context))) ?? [];
    return { resources: entries.map((entry) => ({ ...entry })) };
  } catch (error) {
    log.warn('resource_list_failed', {
      resource: resource.name,
      status: describeFailure(error, resource.name).facts.code,
    });
    return { resources: [] };
  }
}

async function read(
  resource: BoundResource,
  uri: URL,
  variables: Readonly<Record<string, string | string[]>>,
  context: ServerContext,
  log: Log,
) {
  const started = Date.now();
  let status = 'ok';
  try {
    const text = await resource.read(decoded(variables), callOf(context));
    return { contents: [{ uri: uri.href, mimeType: resource.mimeType, text }] };
  } catch (error) {
    if (error instanceof ResourceMissing) {
      status = 'not_found';
      throw new ResourceNotFoundError(uri.href);
    }
    const failure = describeFailure(error, resource.name);
    status = failure.facts.code;
    throw new ProtocolError(ProtocolErrorCode.InternalError, failure.text);
  } finally {
    log.info('resource_read', { resource: resource.name, status, ms: Date.now() - started });
  }
}

function callOf(context: ServerContext): Call {
  const limit = AbortSignal.timeout(planWithinMs);
  return { signal: AbortSignal.any([context.mcpReq.signal, limit]), deadline: Date.now() + planWithinMs };
}

/** Ids may hold characters that a URI encodes. */
function decoded(variables: Readonly<Record<string, string | string[]>>): Record<string, string> {
  const entries = Object.entries(variables).map(([name, value]) => [name, decode(String(value))] as const);
  return Object.fromEntries(entries);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
