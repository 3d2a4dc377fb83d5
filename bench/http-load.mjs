// Servers over HTTP as child processes, and the calls that are made to them.
import { spawn } from 'node:child_process';
import { request } from 'node:http';
import { Pool } from 'undici';
import { cpuMs } from './child.mjs';

const token = 'bench-token-0123456789';
export const auth = { authorization: `Bearer ${token}` };
export const tokenEnv = { VECTORLESS_HTTP_AUTH: 'token', VECTORLESS_HTTP_TOKEN: token };

/** Resolves once the server has said where it serves. */
export async function startHttp(args, env) {
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...env },
  });
  const url = await new Promise((resolve, reject) => {
    let text = '';
    child.stderr.on('data', (chunk) => {
      text += chunk;
      const found = /serves (\S+)\/mcp/.exec(text);
      if (found !== null) resolve(found[1]);
    });
    child.once('exit', () => reject(new Error(`did not start: ${args.join(' ')}\n${text}`)));
  });
  return {
    ...{ url, pid: child.pid },
    async stop() {
      const exited = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await exited;
    },
  };
}

const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const query = { name: 'vectorless_query', arguments: { query: 'bench', document_id: 'doc_1' } };
const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...auth };
const modern = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': query.name };

/** One query in either revision. */
export const queries = {
  2025: { headers: json, body: frame('tools/call', query) },
  2026: { headers: { ...json, ...modern }, body: frame('tools/call', { ...query, _meta: envelope }) },
};

export const initialize = {
  headers: json,
  body: frame('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  }),
};

function frame(method, params) {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
}

/** Makes so many requests, `width` of them under way at any time. */
export async function load({ url, pid }, message, { width, total }) {
  const pool = new Pool(url, { connections: width });
  const [started, cpu] = [performance.now(), cpuMs(pid)];
  let begun = 0;
  const lane = async () => {
    while (begun < total) {
      begun += 1;
      const { statusCode, body } = await pool.request({ method: 'POST', path: '/mcp', ...message });
      const text = await body.text();
      const isGood = statusCode === 200 && text.includes('"result"') && !text.includes('"isError":true');
      if (!isGood) throw new Error(`${statusCode}: ${text.slice(0, 300)}`);
    }
  };
  await Promise.all(Array.from({ length: width }, lane));
  const seconds = (performance.now() - started) / 1000;
  const result = { perSecond: total / seconds, cpuMs: (cpuMs(pid) - cpu) / total };
  await pool.close();
  return result;
}

/** Opens a stream of the deprecated transport and resolves when the server has announced where to post. */
export function openStream(url) {
  return new Promise((resolve, reject) => {
    const outgoing = request(`${url}/sse`, { headers: auth, agent: false }, (incoming) => {
      if (incoming.statusCode !== 200) reject(new Error(`refused with ${incoming.statusCode}`));
      incoming.on('error', () => {});
      incoming.once('data', () => resolve({ close: () => outgoing.destroy() }));
    });
    outgoing.on('error', reject).end();
  });
}
