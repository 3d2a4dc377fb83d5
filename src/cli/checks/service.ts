import { type Check, fail, ok, warn } from './check.ts';

const name = 'HTTP service';

/** What the service would refuse to start on, or warn about, before it opens its port. */
export const checkService: Check = async (config) => {
  if (!config.http) return [];
  const { checkHttpSettings, httpWarnings } = await import('../../transports/startup.ts');
  const { readSecrets } = await import('../../transports/tickets.ts');
  try {
    checkHttpSettings(config);
    readSecrets(config.secrets);
  } catch (error) {
    return [fail(name, (error as Error).message)];
  }
  const warnings = httpWarnings(config).map((sentence) => warn(name, sentence));
  const place = `${config.httpHost}:${config.httpPort}`;
  return warnings.length > 0 ? warnings : [ok(name, `${place}, callers are checked by: ${config.httpAuth}`)];
};
