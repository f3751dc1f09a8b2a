import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHooks } from 'anyhook';
import { EVERYTHING } from 'anyhook/testing';
import { expect, onTestFinished, test } from 'vitest';
import { type SlashContext, runSlash } from './slash.ts';

const SETTINGS = '{ "hooks": { "tool.before": [{ "name": "no", "run": "echo no >&2; exit 2" }] } }\n';

test('/hooks opens the hooks menu, and switching a hook off takes effect immediately', async () => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'agent-hooks-')));
  const file = join(home, '.config', 'anyhook', 'hooks.json');
  const cwd = join(home, 'project'); // The project must differ from the home.
  mkdirSync(cwd);
  mkdirSync(join(home, '.config', 'anyhook'), { recursive: true });
  writeFileSync(file, SETTINGS);
  const before = process.env['HOME'];
  process.env['HOME'] = home; // The agent uses the home of the process.
  onTestFinished(() => {
    process.env['HOME'] = before;
    rmSync(home, { recursive: true, force: true });
  });
  const hooks = await createHooks({ host: { name: 'agent', can: EVERYTHING }, cwd, journal: false });
  onTestFinished(() => hooks.close());
  const verdict = async () =>
    (await hooks.fire({ name: 'tool.before', payload: { tool: 'Bash', input: { command: 'ls' } } })).verdict;
  expect(await verdict()).toBe('deny');

  const answers = ['All', '[on] tool.before', 'Switch off'];
  const said: string[] = [];
  const ui: SlashContext['ui'] = {
    select: async (_, options) =>
      options.find((option) => option.startsWith(answers[0] ?? '\0') && answers.shift()),
    confirm: async () => true,
    input: async () => undefined,
  };
  // The parts of an agent that the menu needs.
  const desk = {
    agent: { hooks },
    ui,
    cwd,
    say: (text: string) => void said.push(text),
  } as unknown as SlashContext;
  expect(await runSlash('/hooks', desk)).toBe(true);

  expect(said.join('\n')).toContain('"disabled"');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ disabled: [{ id: `${file}#no` }] });
  expect([await verdict(), hooks.disabled.map(({ id }) => id)]).toEqual(['none', [`${file}#no`]]);
});

test('/hooks view prints the same address every time, and a typo is reported', async () => {
  const said: string[] = [];
  const context = {
    agent: { session: { id: 'never-recorded', file: '' } },
    say: (text: string) => void said.push(text),
  } as unknown as SlashContext; // The parts of the context that the command needs.
  for (const line of ['/hooks view', '/hooks view', '/hooks vew']) await runSlash(line, context);
  const [first = '', again, slip] = said;
  expect(first).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#[\w-]{43}\n/);
  expect(again).toBe(first);
  expect(slip).toBe('Unknown command /hooks vew. Use /hooks or /hooks view.');
  const [, origin, token = ''] = /^(.*)\/#([\w-]+)/.exec(first) ?? [];
  const answer = await fetch(`${origin}/api/state`, { headers: { 'x-anyhook-token': token } });
  expect(answer.status).toBe(200);
});
