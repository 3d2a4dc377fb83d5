import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { repository } from '../support/child.ts';
import { spawnHttp } from '../support/http-child.ts';
import { tokenMode } from '../support/http-service.ts';

const lines = readFileSync(`${repository}Dockerfile`, 'utf8').replaceAll('\\\n', ' ').split('\n');
const ignored = readFileSync(`${repository}.dockerignore`, 'utf8').split('\n');
const argumentsOf = (instruction: string) =>
  lines
    .filter((line) => line.startsWith(`${instruction} `))
    .map((line) => line.slice(instruction.length + 1).trim());
const commandOf = (text: string): string[] => JSON.parse(text.slice(text.indexOf('[')));

test('the image is built from files that are there and that its context holds', () => {
  const copies = argumentsOf('COPY').filter((line) => !line.startsWith('--from'));
  const sources = copies.flatMap((line) => line.split(/\s+/).slice(0, -1));
  expect(sources).toContain('package-lock.json');
  for (const source of sources) {
    expect([source, existsSync(repository + source)]).toEqual([source, true]);
    expect(ignored).toContain(`!${source.replace('./', '')}`);
  }
});

test('it runs as somebody without rights, and starts the server that the build makes', () => {
  expect(argumentsOf('USER').at(-1)).toBe('node');
  const [program, path] = commandOf(argumentsOf('ENTRYPOINT').at(-1) ?? '');
  expect(program).toBe('node');
  expect(existsSync(`${repository}${path}`)).toBe(true);
});

test('its health check succeeds while the server lives and fails when it does not', async () => {
  const [program = '', ...args] = commandOf(argumentsOf('HEALTHCHECK').at(-1) ?? '');
  const server = await spawnHttp({ env: tokenMode });
  const check = () =>
    promisify(execFile)(program, args, {
      env: { ...process.env, VECTORLESS_HTTP_PORT: new URL(server.url).port },
    });
  await check();
  await server.close();
  await expect(check()).rejects.toMatchObject({ code: 1 });
});
