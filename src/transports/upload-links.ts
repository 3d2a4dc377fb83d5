import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { Config } from '../config.ts';
import type { Caller } from '../tools/caller.ts';
import type { UploadFile, UploadLinks } from '../tools/toolset.ts';
import { hasUsableAddress, publicBase } from './address.ts';
import { createSealer, readSecrets } from './tickets.ts';

/** How long a link may be used. */
export const linkLifetimeMs = 15 * 60_000;

const ticketShape = z.object({
  id: z.string(),
  exp: z.number(),
  caller: z.string(),
  key: z.string().optional(),
  name: z.string(),
  type: z.string(),
  max: z.number(),
});

export interface UploadTicket extends UploadFile {
  /** Also the upload's idempotency key, so that a replay anywhere is the same document. */
  readonly id: string;
  readonly expiresAt: number;
  readonly caller: Caller;
}

export interface SealedUploadLinks extends UploadLinks {
  /** Undefined for a link that this server, or a replica with the same secret, did not make. */
  open(sealed: string): UploadTicket | undefined;
  /** Links can be made once the port is known. */
  serveAt(port: number): void;
}

/**
 * Links that carry all they need, sealed: any replica with the secret honours them and none remembers them.
 * Undefined where a link could not be followed: off this machine without a public address.
 * @throws {StartupError} for a bad `VECTORLESS_SECRET`.
 */
export function createUploadLinks(config: Config): SealedUploadLinks | undefined {
  const sealer = createSealer(readSecrets(config.secrets), 'upload ticket');
  if (!hasUsableAddress(config)) return undefined;
  const ownKeys = config.httpAuth === 'key';
  let base = publicBase(config, config.httpPort);

  return {
    issue(caller, file) {
      const expiresAt = Date.now() + linkLifetimeMs;
      const ticket: z.input<typeof ticketShape> = {
        id: `upload-${randomBytes(16).toString('base64url')}`,
        exp: expiresAt,
        caller: caller.id,
        name: file.filename,
        type: file.contentType,
        max: file.maxBytes,
      };
      if (caller.credential.kind === 'own') ticket.key = caller.credential.apiKey;
      return { url: `${base}/uploads/${sealer.seal(ticket)}`, expiresAt: new Date(expiresAt) };
    },

    open(sealed) {
      const { success, data } = ticketShape.safeParse(sealer.open(sealed));
      // A ticket from another way of authenticating would act with a credential it was not made for.
      if (!success || ownKeys !== (data.key !== undefined)) return undefined;
      return {
        id: data.id,
        expiresAt: data.exp,
        filename: data.name,
        contentType: data.type,
        maxBytes: data.max,
        caller: {
          id: data.caller,
          credential: data.key === undefined ? { kind: 'server' } : { kind: 'own', apiKey: data.key },
          grants: new Set(['write'] as const),
        },
      };
    },

    serveAt(port) {
      base = publicBase(config, port);
    },
  };
}
