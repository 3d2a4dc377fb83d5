// What strangers download, and whether it speaks the protocol: the packed tarball, and the conformance suite.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** @returns rows for the scoreboard */
export function measurePackage() {
  const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json', '--silent', '--ignore-scripts'], {
    cwd: root,
    encoding: 'utf8',
  });
  const [packed] = Object.values(JSON.parse(stdout));
  const { dependencies = {}, optionalDependencies = {} } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  const needed = Object.keys({ ...dependencies, ...optionalDependencies }).length;
  return [
    { what: 'packed tarball: runtime dependencies', value: needed, bar: '= 0' },
    { what: 'packed tarball', value: packed.size / 1000, unit: 'kB', bar: '–' },
  ];
}

/** @returns rows for the scoreboard: checks that passed, and revisions in which one failed that must not */
export function measureConformance() {
  const { stdout } = spawnSync(process.execPath, [join(root, 'scripts/conformance.mjs')], {
    encoding: 'utf8',
  });
  const lines = [...stdout.matchAll(/^(ok|FAILED) +(\w+) (\S+): Total: (\d+) passed/gm)];
  const passed = lines.map(([, , subject, revision, checks]) => ({
    ...{ what: `conformance ${revision}, ${subject}: checks passed`, value: Number(checks), bar: '–' },
  }));
  const bad = 4 - lines.filter(([, outcome]) => outcome === 'ok').length;
  return [
    ...passed,
    { what: 'conformance: runs with a failure that is not expected', value: bad, bar: '= 0' },
  ];
}
