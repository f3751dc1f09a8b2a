/** The view in a real browser. `SCREENSHOTS=1` keeps the pictures of docs/images. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Hooks } from '../../src/library/hooks.ts';
import type { View } from '../../src/view/open-view.ts';
import { CHROMIUM, openChromium, openPage } from './browser.ts';
import { HOSTILE, makeWorld, work, workHostile, type World } from './world.ts';

const PICTURES = join(import.meta.dirname, '../../../../docs/images');
const LIVE_MS = 500;

async function picture(page: Page, name: string): Promise<void> {
  if (process.env['SCREENSHOTS'] !== '1') return;
  mkdirSync(PICTURES, { recursive: true });
  writeFileSync(join(PICTURES, name), await page.screenshot({ animations: 'disabled' }));
}

/** Faults by the rules of WCAG 2.2 A and AA. */
async function faults(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { axe: loaded } = globalThis as unknown as {
      axe: {
        run(
          options: object,
        ): Promise<{ violations: { id: string; nodes: { target: unknown; html: string }[] }[] }>;
      };
    };
    const { violations } = await loaded.run({
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
    });
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`,
    );
  });
}

const widthOf = (page: Page): Promise<number> => page.evaluate('document.documentElement.scrollWidth');

if (CHROMIUM === undefined) {
  // oxlint-disable-next-line no-console -- a suite that did not run must not look like one that did
  console.warn(
    'test:view was SKIPPED: there is no Chromium here (apt-get install chromium, or name one in CHROMIUM)',
  );
}

describe.skipIf(CHROMIUM === undefined)('the view in a browser', () => {
  let browser: Browser;
  let world: World;
  let view: View;
  let hooks: Hooks;
  beforeAll(async () => {
    world = makeWorld();
    hooks = await world.agent('claude-code');
    await work(hooks, 'morning');
    for (const [name, session] of [['codex', 'review'] as const, ['opencode', 'refactor'] as const]) {
      const other = await world.agent(name);
      await work(other, session);
      await other.close();
    }
    [browser, view] = await Promise.all([openChromium(), world.view()]);
  });
  afterAll(async () => {
    await hooks?.close();
    await browser?.close();
    await world?.remove();
  });
  const at = (route: string): string => `${view.address}${route}`;

  test('lists sessions, and takes the token out of the address', async () => {
    const { page, wrong } = await openPage(browser, view.address);
    await page.waitForSelector('.sessions tbody tr:nth-child(3)');
    expect(await page.locator('.sessions tbody tr').count()).toBe(3);
    expect(page.url()).not.toContain(view.address.split('#')[1]);
    expect(await page.locator('.status').textContent()).toContain('live');
    await picture(page, 'view-sessions.png');
    await page.reload(); // the tab knows the token
    await page.waitForSelector('.sessions tbody tr');
    expect(wrong).toEqual([]);
    await page.close();
  });

  test('asks nobody but its own server', async () => {
    const { page, asked } = await openPage(browser, at('/hooks'));
    await page.waitForSelector('.plot canvas');
    const { origin } = new URL(view.address);
    expect(asked.filter((address) => !address.startsWith(`${origin}/`))).toEqual([]);
    await page.close();
  });

  test('a browser without the token is told what is missing', async () => {
    const { origin } = new URL(view.address);
    const { page } = await openPage(browser, `${origin}/`);
    expect(await page.locator('h1').textContent()).toBe('This page needs its key');
    const wrongKey = await openPage(browser, `${origin}/#${'x'.repeat(43)}`);
    await wrongKey.page.getByText('needs its key').waitFor();
    await Promise.all([page.close(), wrongKey.page.close()]);
  });

  test('shows a session as a timeline: prompt, change, refusal, question, what broke', async () => {
    const { page, wrong } = await openPage(browser, at('/session/morning'));
    await page.waitForSelector('.row.prompt');
    expect(await page.locator('.row .subject').allTextContents()).toEqual([
      'Run the tests, push it and publish it.',
      'shell npm test',
      'shell npm test -- --silent',
      'shell git add -A && git push --force',
      'shell rm -rf build',
      'shell npm publish',
      'done',
    ]);
    const changed = page.locator('.row', { has: page.locator('.tag.changed') });
    await changed.locator('.head').click();
    expect(await changed.locator('.diff .gone').textContent()).toContain('"command": "npm test"');
    expect(await changed.locator('.diff .new').textContent()).toContain('"command": "npm test -- --silent"');
    expect(await changed.locator('.panel').textContent()).toContain('Asked again, about the final call');
    await page.locator('.row.stop .head').click();
    expect(await page.locator('.row.stop .panel').textContent()).toContain('It was let pass.');
    expect(wrong).toEqual([]);
    await page.close();
  });

  test('leads with one click from a refusal to the hook, the rule and what would have to change', async () => {
    const { page } = await openPage(browser, at('/session/morning'));
    const refusal = page.locator('.row.deny').first();
    await refusal.locator('.reason .link').click();
    const panel = refusal.locator('.refusal');
    await panel.waitFor();
    const text = await panel.innerText();
    expect(text).toContain('~/.config/anyhook/hooks.json:5');
    expect(text).toContain('Because of');
    expect(text).toContain('What would have to change');
    expect(text).toContain("anyhook explain 'git add -A && git push --force'");
    expect(await panel.locator('.source .it').textContent()).toContain('no force-push');
    await picture(page, 'view-session.png');
    await page.close();
  });

  test('a new fire is there within half a second, as the browser counts', async () => {
    const { page } = await openPage(browser, at('/session/review'));
    await page.waitForSelector('.row.stop');
    await page.locator('.status', { hasText: 'live' }).waitFor();
    const agent = await world.agent('codex');
    const waits: number[] = [];
    // Of five, the quickest: a machine under load is slow with everything, a view that polls is never quick.
    for (let nth = 0; nth < 5; nth++) {
      const command = `echo ${nth}`;
      await agent.fire({
        name: 'tool.before',
        ids: { session: 'review' },
        payload: { tool: 'shell', input: { command } },
      });
      const began = performance.now();
      await page.locator('.subject', { hasText: `shell ${command}` }).waitFor();
      waits.push(performance.now() - began);
    }
    await agent.close();
    expect(Math.min(...waits)).toBeLessThan(LIVE_MS);
    await page.close();
  });

  test('shows hostile text as text', async () => {
    const agent = await world.agent('goose');
    await workHostile(agent, 'hostile');
    await agent.close();
    for (const route of ['/session/hostile', '/', '/hooks']) {
      const { page, wrong } = await openPage(browser, at(route));
      if (route === '/session/hostile') {
        await page.waitForSelector(`.row:nth-child(${HOSTILE.length})`);
        for (const head of await page.locator('button.head').all()) await head.click();
        for (const link of await page.locator('.reason .link').all()) await link.click();
        await page
          .locator('.refusal')
          .nth(HOSTILE.length - 1)
          .waitFor();
        expect(await page.locator('.timeline').innerText()).toContain('<img src=x onerror=');
        expect(await page.locator('.timeline').innerText()).toContain('\\u001b[31mred\\u202ekcab');
      }
      expect(await page.title()).toBe('anyhook view');
      const made =
        'document.querySelectorAll("#root script, #root img, #root iframe, #root [onload], #root [onerror], #root a[href^=javascript]").length';
      expect(await page.evaluate(made)).toBe(0);
      expect(wrong).toEqual([]);
      await page.close();
    }
  });

  test('shows what each hook did, in plots and numbers, and where it is asked', async () => {
    const { page, wrong } = await openPage(browser, at('/hooks'));
    await page.waitForSelector('.hook');
    expect(await page.locator('.plot canvas').count()).toBe(2);
    const strict = page.locator('.hook', { hasText: 'strict' });
    expect(await strict.textContent()).toMatch(/would have refused \d+ of \d+/);
    await strict.locator('.hookhead').click();
    expect(await strict.locator('.agents tbody tr').count()).toBeGreaterThan(6);
    expect(await strict.textContent()).toContain('anyhook log --hook');
    await page.evaluate('scrollTo(0, 0)');
    await picture(page, 'view-hooks.png');
    expect(wrong).toEqual([]);
    await page.close();
  });

  test('can be used with the keyboard alone', async () => {
    const { page } = await openPage(browser, at('/session/morning'));
    await page.waitForSelector('.row.stop');
    const focused = () => page.evaluate('document.activeElement?.innerText ?? ""') as Promise<string>;
    await page.keyboard.press('j');
    expect(await focused()).toContain('Run the tests');
    await page.keyboard.press('n');
    expect(await focused()).toContain('push --force');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.row.deny .panel .runs');
    await page.keyboard.press('k');
    expect(await focused()).toContain('npm test -- --silent');
    await page.keyboard.press('/');
    await page.keyboard.type('publish it');
    await expect.poll(() => page.locator('.row').count(), { timeout: 60_000 }).toBe(1);
    await page.keyboard.press('Tab');
    await page.keyboard.press('h');
    await page.waitForSelector('.hooks');
    await page.keyboard.press('?');
    expect(await page.locator('dialog[open]').isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    await page.keyboard.press('s');
    await page.waitForSelector('.sessions');
    await page.close();
  });

  test.each(['light', 'dark'] as const)(
    'keeps WCAG AA and every width from 360 to 2,000 pixels, %s',
    async (scheme) => {
      for (const width of [360, 768, 1280, 2000])
        for (const route of ['/', '/session/morning', '/hooks']) {
          const { page } = await openPage(browser, at(route), { width, scheme });
          await page.waitForSelector('.sessions tr, .row.stop, .hook');
          for (const opener of ['.row.deny .head', '.row.deny .reason .link', '.hookhead'])
            if ((await page.locator(opener).count()) > 0) await page.locator(opener).first().click();
          if (route === '/session/morning') await page.waitForSelector('.refusal .advice');
          expect([route, width, await widthOf(page)]).toEqual([route, width, width]);
          expect([route, width, await faults(page)]).toEqual([route, width, []]);
          if (width === 1280 && scheme === 'dark' && route === '/session/morning')
            await picture(page, 'view-dark.png');
          if (width === 360 && scheme === 'light' && route === '/session/morning')
            await picture(page, 'view-narrow.png');
          await page.close();
        }
    },
  );

  test('a fault of colour would be found: the negative control', async () => {
    const { page } = await openPage(browser, view.address);
    await page.waitForSelector('.sessions tr');
    await page.evaluate('document.documentElement.style.setProperty("--muted", "#ddd")');
    expect((await faults(page)).join()).toContain('color-contrast');
    await page.close();
  });

  test('says that the server has ended', async () => {
    const other = await world.view();
    const { page } = await openPage(browser, other.address);
    await page.locator('.status', { hasText: 'live' }).waitFor();
    await other.close();
    await page.waitForSelector('.banner.bad');
    expect(await page.locator('.banner.bad').textContent()).toContain('has ended');
    await page.close();
  });

  test('an export opens offline, from a file, and is whole', async () => {
    const file = join(world.root, 'out.html');
    const { status, stderr } = world.cli(['view', '--export', file, '--session', 'morning']);
    expect([status, stderr]).toEqual([0, '']);
    const context = await browser.newContext({ offline: true });
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    const [wrong, asked]: [string[], string[]] = [[], []];
    page.on('pageerror', (error) => wrong.push(error.message));
    page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()));
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(pathToFileURL(file).href);
    await page.waitForSelector('.row.stop');
    await page.locator('.row.deny .reason .link').first().click();
    await page.waitForSelector('.refusal .advice');
    expect(await page.locator('.banner').textContent()).toContain('Session morning');
    expect(asked).toEqual([pathToFileURL(file).href]);
    expect(wrong).toEqual([]);
    expect(await faults(page)).toEqual([]);
    expect(readFileSync(file, 'utf8')).not.toContain(world.home);
    await context.close();
  });

  test('shows a question within half a second, and its answer lets the agent go on', async () => {
    const { page, wrong } = await openPage(browser, at('/approvals'));
    await page.waitForSelector('text=No agent waits for you');
    expect(await faults(page)).toEqual([]);
    const silent = await world.silentAgent('codex');
    const fired = silent.fire({
      name: 'tool.before',
      ids: { session: 'release' },
      payload: { tool: 'shell', input: { command: 'npm publish --tag \u202enext' } },
    });
    await page.waitForSelector('.question', { timeout: 5000 });
    expect(await page.locator('.question .call').textContent()).toBe('npm publish --tag \\u202enext');
    expect(await page.locator('.question').textContent()).toContain('A release cannot be taken back.');
    expect(await page.locator('nav .badge').textContent()).toBe('1');
    expect(await page.title()).toBe('(1) anyhook view');
    expect(await faults(page)).toEqual([]);
    for (const width of [360, 1280, 2000]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await widthOf(page)).toBeLessThanOrEqual(width);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    await picture(page, 'view-approvals.png');
    await page.getByRole('button', { name: 'Approve once' }).click();
    expect((await fired).proceed).toBe('yes');
    await page.waitForSelector('text=No agent waits for you');
    expect(await page.locator('.answered').textContent()).toContain('approved once');

    const second = silent.fire({
      name: 'tool.before',
      ids: { session: 'release' },
      payload: { tool: 'shell', input: { command: 'npm publish' } },
    });
    await page.getByLabel('Note for the model').fill('Wait for the tests.');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await second).toMatchObject({
      proceed: 'no',
      reason: expect.stringContaining('Wait for the tests.'),
    });
    expect(wrong).toEqual([]);
    await silent.close();
    await page.close();
  });

  test('does not answer in a page that an agent may have started', async () => {
    const other = await world.view({ isUsers: false });
    const { page } = await openPage(browser, `${other.address}/approvals`);
    await page.waitForSelector('text=started in your own terminal');
    const stop = new AbortController();
    const silent = await world.silentAgent('codex');
    const fired = silent.fire({
      name: 'tool.before',
      ids: { session: 'nightly' },
      payload: { tool: 'shell', input: { command: 'npm publish' } },
      signal: stop.signal,
    });
    await page.waitForSelector('.question');
    expect(await page.getByRole('button', { name: 'Approve once' }).count()).toBe(0);
    stop.abort();
    expect((await fired).proceed).toBe('no');
    await silent.close();
    await page.close();
  });
});
