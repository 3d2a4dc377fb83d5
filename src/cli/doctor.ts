import { type Config, loadConfig, secretsOf } from '../config.ts';
import { redact } from '../log.ts';
import { type Check, type Finding, fail } from './checks/check.ts';
import { checkAllowedFolders, checkDataFolder, checkNode, checkProxy } from './checks/machine.ts';
import { checkService } from './checks/service.ts';
import { checkSettings } from './checks/settings.ts';
import { checkUpstream } from './checks/upstream.ts';
import type { Surroundings } from './terminal.ts';

export const doctorUsage = `Usage: vectorless-mcp doctor [--json] [flags of the server]

Checks what the server needs: Node, settings, API and key, proxy and certificates, clock, folders, a clean start (or, with
--http, what the service would refuse), and the entries in the configurations of MCP clients. Exits with 1 when something
is wrong.`;

/** What a server depends on, in the order in which one would look. */
const serverChecks: readonly (readonly [name: string, check: Check])[] = [
  ['Node', checkNode],
  ['Settings', checkSettings],
  ['Proxy', checkProxy],
  ['API', checkUpstream],
  ['Data folder', checkDataFolder],
  ['Allowed folders', checkAllowedFolders],
  ['HTTP service', checkService],
];

const mostMs = 15_000;

/** A network folder that does not answer, or a system that never ends a call, must not hold up what is known. */
export async function inTime(name: string, looking: Promise<Finding[]>, ms = mostMs): Promise<Finding[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Finding[]>((resolve) => {
    const found = fail(
      name,
      `could not be looked at within ${ms / 1000} seconds.`,
      'Look whether a disk or a network folder hangs.',
    );
    timer = setTimeout(() => resolve([found]), ms);
  });
  return Promise.race([looking, late]).finally(() => clearTimeout(timer));
}

const runServerChecks = (config: Config) =>
  serverChecks.map(([name, check]) => inTime(name, Promise.resolve(check(config))));

/** What keeps a server with this configuration from working: what \`--strict\` refuses to start on. */
export async function failures(config: Config): Promise<Finding[]> {
  const findings = await Promise.all(runServerChecks(config));
  return findings.flat().filter(({ status }) => status === 'fail');
}

/** Checks everything and prints one line for each thing. Resolves with the exit code. */
export async function doctor(argv: readonly string[], around: Surroundings): Promise<number> {
  const { print } = around.terminal;
  if (argv.includes('--help') || argv.includes('-h')) {
    print(doctorUsage);
    return 0;
  }
  const flags = argv.filter((argument) => argument !== '--json');
  const config = loadConfig(flags, around.env);
  const { checkClientFiles } = await import('./checks/client-files.ts');
  const { checkStart } = await import('./checks/start.ts');
  const findings = (
    await Promise.all([
      ...runServerChecks(config),
      config.http ? [] : checkStart(flags, around, secretsOf(config)).then((finding) => [finding]),
      inTime('Clients', checkClientFiles(around)),
    ])
  )
    .flat()
    .map((finding) => clean(finding, secretsOf(config)));
  const isWell = findings.every(({ status }) => status !== 'fail');
  if (argv.includes('--json')) print(JSON.stringify({ ok: isWell, checks: findings }, null, 2));
  else for (const finding of findings) print(toLine(finding));
  return isWell ? 0 : 1;
}

/** Addresses hold passwords, and servers quote what they are sent. */
function clean({ fix, ...finding }: Finding, known: string[]): Finding {
  const detail = redact(finding.detail, known);
  return { ...finding, detail, ...(fix !== undefined && { fix: redact(fix, known) }) };
}

function toLine({ name, status, detail, fix }: Finding): string {
  const mark = { ok: 'ok  ', warn: 'warn', fail: 'FAIL' }[status];
  return `${mark}  ${name}: ${detail}${fix === undefined ? '' : ` → ${fix}`}`.replace(/\s*[\r\n]+\s*/g, ' ');
}
