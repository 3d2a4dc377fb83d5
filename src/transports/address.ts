import type { Config } from '../config.ts';
import { isLoopback } from './startup.ts';

/**
 * The server's own address as callers see it, without a trailing slash: what links, metadata and pages are built
 * from. It comes from the settings, never from a request.
 */
export function publicBase(config: Config, port: number): string {
  if (config.publicUrl !== undefined) return config.publicUrl.replace(/\/+$/, '');
  const host = config.httpHost.includes(':') ? `[${config.httpHost}]` : config.httpHost;
  return `http://${host}:${port}`;
}

/** Whether links to this server can be given out: without a public address, only this machine can follow them. */
export const hasUsableAddress = (config: Config): boolean =>
  config.publicUrl !== undefined || isLoopback(config.httpHost);
