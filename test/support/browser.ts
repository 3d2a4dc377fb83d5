/** Real Chromium, where the machine has it. */
import { accessSync, constants } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const places = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

function findChromium(): string | undefined {
  return places.find((path) => {
    if (path === undefined) return false;
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

export const chromiumPath = findChromium();

/** Printed where tests in a browser are skipped. */
export const noBrowser = 'skipped: no chromium here (apt-get install chromium, or set CHROMIUM_PATH)';

export function launch(): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error(noBrowser);
  return chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox', '--disable-gpu'] });
}
