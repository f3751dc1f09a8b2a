/** Debian's Chromium, or whichever `CHROMIUM` names; nothing is downloaded. */

import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';

const PLACES = [
  process.env['CHROMIUM'] ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
export const CHROMIUM = PLACES.find((file) => file !== '' && existsSync(file));

/** In a container there is no sandbox to be had, and no page but ours. */
export const openChromium = (): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM!, args: ['--no-sandbox', '--disable-dev-shm-usage'] });

export interface Watched {
  readonly page: Page;
  /** What went wrong in the page, and every address it asked for. */
  readonly wrong: string[];
  readonly asked: string[];
}

export async function openPage(
  browser: Browser,
  address: string,
  { width = 1280, scheme = 'light' as 'light' | 'dark' } = {},
): Promise<Watched> {
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: scheme });
  page.setDefaultTimeout(60_000);
  const [wrong, asked]: [string[], string[]] = [[], []];
  page.on('pageerror', (error) => wrong.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') wrong.push(message.text());
  });
  page.on('request', (request) => asked.push(request.url()));
  page.on('dialog', (dialog) => {
    wrong.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(address);
  await page.waitForSelector('h1');
  return { page, wrong, asked };
}
