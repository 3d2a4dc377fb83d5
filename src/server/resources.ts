import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { type BoundResource, ResourceMissing } from '../tools/toolset.ts';
import { limitCall } from './call-limit.ts';
import { completers, type Surroundings } from './completers.ts';
import { describeFailure } from './failure.ts';

/** Documents change under the user's hands, and what one caller reads is nobody else's. */
const cacheHint = { ttlMs: 15_000, cacheScope: 'private' } as const;

export function publishResource(server: McpServer, resource: BoundResource, around: Surroundings): void {
  const { name, title, description, mimeType, uri } = resource;
  const config = { title, description, mimeType, cacheHint };
  if (!resource.isTemplate) {
    server.registerResource(name, uri, config, (asked, context) =>
      read(resource, asked, {}, context, around),
    );
    return;
  }
  const template = new ResourceTemplate(uri, {
    list: resource.list === undefined ? undefined : (context) => list(resource, context, around),
    complete: completers(resource.complete, around),
  });
  server.registerResource(name, template, config, (asked, variables, context) =>
    read(resource, asked, variables, context, around),
  );
}

/** Without its documents a client still gets the list of what else there is. */
async function list(resource: BoundResource, { mcpReq }: ServerContext, { log, arrivedAt }: Surroundings) {
  const limit = limitCall({ cancelled: mcpReq.signal, arrivedAt });
  try {
    const entries = await limit.within(resource.list?.(limit) ?? nothing);
    return { resources: entries.map((entry) => ({ ...entry })) };
  } catch (error) {
    log.warn('resource_list_failed', {
      resource: resource.name,
      status: describeFailure(error, resource.name).facts.code,
    });
    return { resources: [] };
  } finally {
    limit.end();
  }
}

const nothing: Promise<readonly []> = Promise.resolve([]);

async function read(
  resource: BoundResource,
  uri: URL,
  variables: Readonly<Record<string, string | string[]>>,
  { mcpReq }: ServerContext,
  { log, arrivedAt }: Surroundings,
) {
  const started = arrivedAt ?? Date.now();
  const limit = limitCall({ cancelled: mcpReq.signal, arrivedAt });
  let status = 'ok';
  try {
    const text = await limit.within(resource.read(decoded(variables), limit));
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
    limit.end();
    log.info('resource_read', { resource: resource.name, status, ms: Date.now() - started });
  }
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
