import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { EVERYTHING } from '../events/capabilities.ts';
import { createHooks, type Options } from '../index.ts';
import { ground } from '../menu/fixtures/ground.ts';

const guard = (name: string) => ({ name, run: `echo ${name} >&2; exit 2` });
const HOOKS = { 'tool.before': [guard('one'), guard('two')] };
const ASKED = { name: 'tool.before', payload: { tool: 'Bash', input: { command: 'ls' } } } as const;
const OURS = '.config/anyhook/hooks.json';

async function open(options: Omit<Options, 'host'>) {
  const host = { name: 'test', can: EVERYTHING } as const;
  const hooks = await createHooks({ host, journal: false, ...options });
  onTestFinished(() => hooks.close());
  return hooks;
}
function place() {
  const { where, at } = ground({});
  for (const folder of ['home/.config/anyhook', 'home/.config/opta', 'project/.anyhook'])
    mkdirSync(at(folder), { recursive: true });
  const put = (name: string, value: object) => writeFileSync(at(name), JSON.stringify(value));
  return { where, at, put, file: at(`home/${OURS}`) };
}

test('a hook that the user disabled is found and never runs', async () => {
  const { where, put, file } = place();
  const fire = async (disabled: readonly unknown[]) => {
    put(`home/${OURS}`, { hooks: HOOKS, disabled });
    const hooks = await open(where);
    const { reasons } = await hooks.fire(ASKED);
    return [reasons.map(({ text }) => text), hooks.disabled.map(({ id }) => id), hooks.problems];
  };
  expect(await fire([])).toEqual([['one'], [], []]);
  expect(await fire([`${file}#one`])).toEqual([['two'], [`${file}#one`], []]);
  expect(await fire([{ id: `${file}#one`, runs: 'one' }])).toEqual([['two'], [`${file}#one`], []]);
  expect(await fire([`${file}#one`, `${file}#two`])).toEqual([[], [`${file}#one`, `${file}#two`], []]);
});

test('an entry with an index does not disable a hook that moved to that index later', async () => {
  const { where, at, put } = place();
  const opta = at('home/.config/opta/config.json');
  const entry = { id: `opta:${opta}#1`, runs: 'exit 1' };
  put(`home/${OURS}`, { disabled: [entry] });
  put('home/.config/opta/config.json', { hooks: [{ event: 'tool.pre', command: 'exit 1' }] });
  const before = await open(where);
  expect([(await before.fire(ASKED)).verdict, before.problems]).toEqual(['none', []]);
  put('home/.config/opta/config.json', { hooks: [{ event: 'tool.pre', command: 'echo new; exit 1' }] });
  const after = await open(where);
  expect((await after.fire(ASKED)).verdict).toBe('deny');
  expect(after.problems.map(({ code, message }) => [code, message])).toEqual([
    ['bad-value', expect.stringContaining('and stays on')],
  ]);
});

test('a project cannot disable a guard, and a problem reports the attempt', async () => {
  const { where, put, file } = place();
  put(`home/${OURS}`, { hooks: HOOKS });
  put('project/.anyhook/hooks.json', { disabled: [`${file}#one`, `${file}#two`] });
  const hooks = await open(where);
  expect((await hooks.fire(ASKED)).reasons.map(({ text }) => text)).toEqual(['one']);
  expect([hooks.disabled, hooks.problems.map(({ key, message }) => [key, message])]).toEqual([
    [],
    [['disabled', 'is a setting for the whole engine and cannot be set by a project.']],
  ]);
});

test('`only` runs one hook and no other, even a disabled one', async () => {
  const { where, put, file } = place();
  put(`home/${OURS}`, { hooks: HOOKS, disabled: [`${file}#two`] });
  const hooks = await open({ ...where, limits: { only: [`${file}#two`] } });
  expect((await hooks.fire(ASKED)).reasons.map(({ text }) => text)).toEqual(['two']);
  expect(hooks.hooks.map(({ id }) => id)).toEqual([`${file}#two`]);
});

test('`only` with an unknown id runs no hook and reports a problem', async () => {
  const { where, put, file } = place();
  put(`home/${OURS}`, { hooks: HOOKS });
  const hooks = await open({ ...where, limits: { only: [`${file}#tow`, 'elsewhere', `${file}#one`] } });
  const said = (i: number, id: string, remedy: string) => ({
    code: 'bad-value',
    file: 'createHooks',
    key: `limits.only[${i}]`,
    message: `unknown hook id ${JSON.stringify(id)}, so the entry has no effect.`,
    remedy,
    severity: 'warning',
  });
  expect(hooks.problems).toEqual([
    said(0, `${file}#tow`, `Did you mean ${JSON.stringify(`${file}#two`)}?`),
    said(1, 'elsewhere', 'Run `anyhook list --json` to see the ids.'),
  ]);
  expect((await hooks.fire(ASKED)).reasons.map(({ text }) => text)).toEqual(['one']);
});
