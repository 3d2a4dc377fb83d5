import type { Config } from '../config.ts';
import type { Caller } from '../tools/caller.ts';
import type { Access } from '../tools/tool.ts';
import type { Denial } from './auth.ts';
import { rpcRefusal } from './exchange.ts';

/** What a client must know to log in: only where an identity provider stands behind the server. */
export interface LoginOffer {
  readonly metadataUrl: string;
  /** All scopes that mean something here. */
  readonly scopes: readonly string[];
}

/**
 * Answers a denied request. Without a login on offer the challenge is a bare `Bearer`: anything more would send
 * clients looking for an authorization server that does not exist.
 */
export function denied(denial: Denial, request: Request, offer: LoginOffer | undefined): Response {
  const headers: Record<string, string> = {};
  if (denial.status === 503) headers['retry-after'] = '5';
  else if (offer === undefined) headers['www-authenticate'] = 'Bearer';
  else headers['www-authenticate'] = challenge(denial, request.headers.has('authorization'), offer);
  return rpcRefusal(denial.status, denial.message, { headers });
}

/** RFC 6750 §3: no error code when no credential was presented. RFC 9728 §5.1: where the metadata is. */
function challenge(denial: Denial, presented: boolean, offer: LoginOffer): string {
  const parameters = [`resource_metadata="${offer.metadataUrl}"`];
  if (offer.scopes.length > 0) parameters.push(`scope="${offer.scopes.join(' ')}"`);
  if (presented) {
    parameters.unshift(
      `error="${denial.status === 403 ? 'insufficient_scope' : 'invalid_token'}"`,
      `error_description="${denial.message.replace(/["\\]/g, "'").replace(/[^\x20-\x7e]/g, "'")}"`,
    );
  }
  return `Bearer ${parameters.join(', ')}`;
}

/**
 * Refuses a call of a tool that exists for a token with another scope, in the way that lets a client ask for one. Who
 * does not try sees nothing of such a tool; without a write scope in the settings there is none.
 */
export function createStepUp(
  { config, accessOf }: { readonly config: Config; accessOf(tool: string): Access | undefined },
  offer: LoginOffer,
): (caller: Caller, tool: string, request: Request) => Response | undefined {
  return ({ grants }, tool, request) => {
    const access = accessOf(tool);
    if (access === undefined || grants.has(access)) return undefined;
    const scope = access === 'read' ? config.jwtReadScope : config.jwtWriteScope;
    if (scope === undefined) return undefined;
    const message = `${tool} needs the scope "${scope}", which this token does not have.`;
    return denied({ status: 403, message }, request, offer);
  };
}

const wellKnown = '/.well-known/oauth-protected-resource';

/** RFC 9728 metadata and where it is served; undefined unless tokens come from an identity provider. */
export function createLoginOffer(
  config: Config,
  base: string,
): (LoginOffer & { readonly paths: readonly string[]; metadata(): Response }) | undefined {
  if (config.httpAuth !== 'jwt') return undefined;
  const url = new URL(base);
  const prefix = url.pathname.replace(/\/+$/, '');
  const scopes = [config.jwtReadScope, config.jwtWriteScope].filter((scope) => scope !== undefined);
  const metadata = {
    resource: `${base}/mcp`,
    authorization_servers: [config.jwtIssuer],
    ...(scopes.length > 0 && { scopes_supported: scopes }),
    bearer_methods_supported: ['header'],
    resource_name: 'Vectorless documents',
  };
  return {
    // RFC 9728 §3.1: the well-known part goes between the host and the path of the resource.
    metadataUrl: `${url.origin}${wellKnown}${prefix}/mcp`,
    scopes,
    paths: [wellKnown, `${wellKnown}/mcp`, `${wellKnown}${prefix}/mcp`],
    metadata: () => Response.json(metadata, { headers: { 'cache-control': 'max-age=300' } }),
  };
}
