import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { writeEntry } from '../src/cli/clients/config-file.ts';
import { jsonFormat } from '../src/cli/clients/json-format.ts';
import { doctor } from '../src/cli/doctor.ts';
import { makeFolder } from '../src/make-folder.ts';
import { fakeTerminal } from './cli/around.ts';
import { durable, vector } from './stores/vectors/stores.ts';

it('makes what is missing, for this user alone, and leaves what is there', () => {
  const root = mkdtempSync(join(tmpdir(), 'folders-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const deep = join(root, 'a', 'b', 'c');
  makeFolder(deep);
  makeFolder(deep);
  for (const folder of [deep, join(root, 'a')]) expect(statSync(folder).mode & 0o777).toBe(0o700);
});

/** /proc says ENOENT for folders that are made in it, which sends Node's `recursive` round in circles for ever. */
describe.runIf(process.platform === 'linux')(
  'where no folder can be made, an answer comes nevertheless',
  () => {
    const nowhere = '/proc/nowhere/deep';

    it('from makeFolder', () => {
      expect(() => makeFolder(nowhere)).toThrow('ENOENT');
    });

    it('from doctor', async () => {
      const { around, printed } = await fakeTerminal({ VECTORLESS_LOCAL_DIR: nowhere });
      expect(await doctor(['--local'], around)).toBe(1);
      expect(printed()).toContain(`Data folder: ${nowhere} cannot be written to (ENOENT).`);
    }, 30_000);

    it('from init, which writes clients’ files', async () => {
      const format = jsonFormat('vectorless', () => ['mcpServers']);
      await expect(writeEntry(`${nowhere}/client.json`, format, { command: 'npx' })).rejects.toThrow(
        'cannot be written (ENOENT)',
      );
    });

    it('from the vector store', async () => {
      await expect(
        durable(nowhere)
          .of('me')
          .add(vector('a', [1])),
      ).rejects.toThrow('could not be saved');
    });
  },
);
