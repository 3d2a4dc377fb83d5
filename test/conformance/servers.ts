/** Run by the conformance script: the upstream for the product, and the fixture server behind the product's HTTP stack. */
import { randomBytes } from 'node:crypto';
import { loadConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';
import { startService } from '../../src/transports/service.ts';
import { startFakeApi } from '../support/fake-api.ts';
import { createFixtureServer } from './fixture-server.ts';

const upstream = await startFakeApi({ dialect: 'E' });
upstream.add({ content: '# Stove\n\nThe stove burns birch.\n', filename: 'stove.md' });

const stateKey = randomBytes(32);
const fixture = await startService({
  config: loadConfig(['--http', '--port', '0'], { VECTORLESS_HTTP_AUTH: 'none' }),
  log: createLog('error', (line) => process.stderr.write(line)),
  serverFor: () => createFixtureServer(stateKey),
  accessOf: () => undefined,
  receiverFor: () => undefined,
});

process.stdout.write(`${JSON.stringify({ upstream: upstream.url, fixture: fixture.url })}\n`);
