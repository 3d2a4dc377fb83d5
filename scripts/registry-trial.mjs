// Runs a command with a registry in npm's place that has this package and no other. Started by test-package.mjs, by itself
// so that it can run where no network exists but this machine's own.
// usage: node registry-trial.mjs TARBALL JSON     JSON: { command, args, cwd, env }; prints what the command prints
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [tarball, description] = process.argv.slice(2);
const { command, args, cwd, env } = JSON.parse(description);
const bytes = readFileSync(tarball);
const manifest = JSON.parse(
  execFileSync('tar', ['-xzOf', tarball, 'package/package.json'], { encoding: 'utf8' }),
);
const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;

const server = createServer(({ url, headers }, response) => {
  const { name, version } = manifest;
  if (url === '/package.tgz') return response.end(bytes);
  if (decodeURIComponent(url) !== `/${name}`) return response.writeHead(404).end('{}');
  const dist = { tarball: `http://${headers.host}/package.tgz`, integrity };
  const versions = { [version]: { ...manifest, dist } };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions }));
}).listen(0, '127.0.0.1');
await once(server, 'listening');

const npm = {
  npm_config_registry: `http://127.0.0.1:${server.address().port}/`,
  npm_config_update_notifier: 'false',
};
const child = spawn(command, args, { cwd, env: { ...env, ...npm }, stdio: ['ignore', 'inherit', 'inherit'] });
const [code] = await once(child, 'exit');
server.close();
process.exit(code ?? 1);
