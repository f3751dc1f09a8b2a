import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { EVERYTHING } from '../events/capabilities.ts';
import { createHooks, type Options } from '../index.ts';
import { ground, scripted } from './fixtures/ground.ts';
import { openMenu } from './open-menu.ts';

const HOST = { name: 'test', can: EVERYTHING } as const;
const opened = async (where: Omit<Options, 'host'>) => {
  const hooks = await createHooks({
    host: HOST,
    journal: false,
    ...where,
    trust: { selfProtection: false, ...where.trust },
  });
  onTestFinished(() => hooks.close());
  return hooks;
};
async function drive(
  where: Pick<Options, 'cwd' | 'home' | 'env'>,
  answers: readonly (string | boolean)[],
): Promise<string> {
  const ui = scripted(answers);
  await openMenu({ ui, ...where, hooks: await opened(where) });
  return ui.told.join('\n');
}

const CLAUDE = `{
  // my guards
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [
        { "type": "command", "command": "echo no >&2; exit 2", "timeout": 5 }, // keep
        { "type": "command", "command": "true" },
      ] },
    ],
  },
}
`;
const OURS = `{
  "hooks": {
    "tool.before": [
      { "name": "no-push", "match": "shell(git push*)", "run": "echo no >&2; exit 2" }, // mine
    ],
  },
}
`;

describe('switching', () => {
  test('a hook is disabled after the user confirms its diff, and enabled again byte for byte', async () => {
    const { at, where } = ground({ 'home/.config/anyhook/hooks.json': OURS });
    const file = at('home/.config/anyhook/hooks.json');
    const told = await drive(where, ['All', '[on] tool.before', 'Switch off', true]);
    expect(told).toContain('+  "disabled": [');
    expect(readFileSync(file, 'utf8')).toContain('// mine');
    expect(readFileSync(file, 'utf8')).toContain(`"id": "${file}#no-push"`);
    const hooks = await opened(where);
    expect([hooks.hooks, hooks.disabled.map(({ id }) => id)]).toEqual([[], [`${file}#no-push`]]);
    await drive(where, ['All', '[off] tool.before', 'Switch on', true]);
    expect(readFileSync(file, 'utf8')).toBe(OURS);
  });

  test('a no leaves every byte unchanged', async () => {
    const { at, where } = ground({ 'home/.config/anyhook/hooks.json': OURS });
    await drive(where, ['All', '[on] tool.before', 'Switch off', false]);
    expect(readFileSync(at('home/.config/anyhook/hooks.json'), 'utf8')).toBe(OURS);
  });

  test('a hook of another agent is disabled in our own settings, and the user sees where it still runs', async () => {
    const { at, where } = ground({ 'home/.claude/settings.json': CLAUDE });
    const told = await drive(where, ['By file', '[on] PreToolUse  Bash  true', 'Switch off', true]);
    expect(told).toContain('still runs it');
    expect(readFileSync(at('home/.claude/settings.json'), 'utf8')).toBe(CLAUDE);
    const hooks = await opened(where);
    const { verdict } = await hooks.fire({
      name: 'tool.before',
      payload: { tool: 'Bash', input: { command: 'ls' } },
    });
    expect([hooks.disabled.map(({ run }) => run), verdict]).toEqual([
      [{ kind: 'command', run: { line: 'true' }, env: expect.anything(), set: expect.anything() }],
      'deny',
    ]);
    await drive(where, ['All', '[off]', 'Switch on', true]);
    expect(existsSync(at('home/.config/anyhook/hooks.json'))).toBe(false);
  });

  test('a hook of Gemini CLI is disabled in Gemini’s own list, and enabled again byte for byte', async () => {
    const text = `{\n\t"hooks": {\n\t\t"BeforeTool": [{ "matcher": "*", "hooks": [{ "type": "command", "name": "g", "command": "true" }] }]\n\t}\n}\n`;
    const { at, where } = ground({ 'home/.gemini/settings.json': text });
    const file = at('home/.gemini/settings.json');
    await drive(where, ['All', '[on]', 'Switch off', true]);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ hooksConfig: { disabled: ['g'] } });
    expect((await opened(where)).hooks).toEqual([]);
    await drive(where, ['All', '[off]', 'Switch on', true]);
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  test('a file that cannot be parsed is left alone and reported', async () => {
    const { at, where } = ground({ 'home/.claude/settings.json': CLAUDE });
    const hooks = await opened(where);
    const ui = scripted(['All', '[on]', 'Switch off']);
    const broken = at('home/.config/anyhook/hooks.json');
    mkdirSync(at('home/.config/anyhook'), { recursive: true });
    writeFileSync(broken, '{ "hooks": { ');
    await openMenu({ ui, hooks, ...where });
    expect(ui.told.join('\n')).toContain(`${broken}:1`);
    expect(readFileSync(broken, 'utf8')).toBe('{ "hooks": { ');
  });
});

describe('editing', () => {
  test('a new timeout is written in the unit of its dialect, and comments are kept', async () => {
    const { at, where } = ground({ 'home/.claude/settings.json': CLAUDE });
    await drive(where, ['All', '[on] PreToolUse  Bash  echo', 'Change the timeout', '8', true]);
    expect(readFileSync(at('home/.claude/settings.json'), 'utf8')).toBe(
      CLAUDE.replace('"timeout": 5', '"timeout": 8'),
    );
  });

  test('a new matcher of a group reports how many other hooks it applies to', async () => {
    const { at, where } = ground({ 'home/.claude/settings.json': CLAUDE });
    const told = await drive(where, [
      'All',
      '[on] PreToolUse  Bash  true',
      'Change the matcher',
      'Write',
      true,
    ]);
    expect(told).toContain('applies to 1 more');
    expect(readFileSync(at('home/.claude/settings.json'), 'utf8')).toBe(CLAUDE.replace('"Bash"', '"Write"'));
  });

  test('hooks of Opta are edited too, in milliseconds', async () => {
    const text = '{"hooks": [\r\n  { "event": "tool.pre", "command": "true" }\r\n]}';
    const { at, where } = ground({ 'home/.config/opta/config.json': text });
    await drive(where, ['All', '[on]', 'Change the timeout', '2.5', true]);
    expect(readFileSync(at('home/.config/opta/config.json'), 'utf8')).toBe(
      text.replace('"true"', '"true", "timeout": 2500'),
    );
  });

  test('an edit that its dialect would report as a problem is not written', async () => {
    const { at, where } = ground({ 'home/.config/anyhook/hooks.json': OURS });
    const told = await drive(where, ['All', '[on]', 'Change the matcher', '/(/']);
    expect(told).toContain('Nothing was written.');
    expect(readFileSync(at('home/.config/anyhook/hooks.json'), 'utf8')).toBe(OURS);
  });

  test('a file that changed while the user decided is not overwritten', async () => {
    const { at, where } = ground({ 'home/.config/anyhook/hooks.json': OURS });
    const file = at('home/.config/anyhook/hooks.json');
    const ui = scripted(['All', '[on]', 'Change the timeout', '8']);
    const slow: typeof ui = {
      ...ui,
      confirm: async () => {
        writeFileSync(file, `${OURS}\n`);
        return true;
      },
    };
    await openMenu({ ui: slow, hooks: await opened(where), ...where });
    expect(ui.told.join('\n')).toContain('has changed in the meantime');
    expect(readFileSync(file, 'utf8')).toBe(`${OURS}\n`);
  });

  test('a module page shows that it is code and where, and offers no edit', async () => {
    const { at, where } = ground({
      'home/.config/anyhook/hooks/guard.mjs': `import { defineHook } from 'anyhook';\nexport default defineHook({ on: 'tool.before', run: () => undefined });\n`,
    });
    const told = await drive(where, ['All', '[on]']);
    expect(told).toContain(`not edited here: it is code; see ~/.config/anyhook/hooks/guard.mjs:2`);
    expect(told).not.toContain('Change the matcher');
    expect(existsSync(at('home/.config/anyhook/hooks.json'))).toBe(false);
  });
});

describe('looking', () => {
  test('a test-fire runs only this hook and shows the result', async () => {
    const marks = { 'home/.config/anyhook/hooks.json': OURS, 'home/.config/opta/config.json': '' };
    const { at, where } = ground(marks);
    writeFileSync(
      at('home/.config/opta/config.json'),
      JSON.stringify({ hooks: [{ event: 'tool.pre', command: `touch ${at('asked')}` }] }),
    );
    const told = await drive(where, [
      'By event',
      'tool.before',
      '[on] tool.before',
      'Test-fire',
      'Fire this',
    ]);
    expect(told).toContain('tool.before {"tool":"shell","input":{"command":"git pushx"}}');
    expect(told).toContain('deny: no');
    expect(existsSync(at('asked'))).toBe(false);
  });

  test('a test-fire with a payload that the matcher does not match reports that', async () => {
    const { where } = ground({ 'home/.config/anyhook/hooks.json': OURS });
    const told = await drive(where, ['All', '[on]', 'Test-fire', 'Another', '{"tool":"read","input":{}}']);
    expect(told).toContain('Not run: its matcher shell(git push*) does not match');
  });

  test('recent runs come from the journal, with decision and time', async () => {
    const { where } = ground({ 'home/.config/anyhook/hooks.json': OURS });
    const hooks = await createHooks({ host: HOST, ...where });
    await hooks.fire({ name: 'tool.before', payload: { tool: 'Bash', input: { command: 'git push' } } });
    await hooks.close();
    const told = await drive(where, ['All', '[on]', 'Recent runs', '<', '<', 'Recent runs']);
    expect(told).toMatch(/\d{4}-\d\d-\d\d [\d:]{8} {2}tool\.before · Bash git push · deny: no · [\d.]+ ms/);
  });

  test('a project hook is trusted only after the user confirms exactly what will run', async () => {
    const { where } = ground({
      'project/.opta/config.json': JSON.stringify({ hooks: [{ event: 'tool.pre', command: './guard.sh' }] }),
      'project/guard.sh': '#!/bin/sh\nexit 1\n',
    });
    const refused = await drive(where, ['Waiting for trust', '[waits for trust]', 'Trust', false]);
    expect(refused).toContain('#!/bin/sh');
    expect((await opened(where)).examined.map(({ judgement }) => judgement.state)).toEqual(['unknown']);
    // Without a terminal a yes does not count; a named hash does.
    const alone = await drive(where, ['Waiting for trust', '[waits for trust]', 'Trust', true]);
    expect(alone).toContain('needs confirmation in a terminal');
    const hooks = await opened(where);
    const named = await opened({ ...where, trust: { hashes: [hooks.examined[0]!.judgement.hash] } });
    const { examined, reload } = hooks;
    const ui = scripted(['Waiting for trust', '[waits for trust]', 'Trust', true]);
    await openMenu({ ui, hooks: { hooks: hooks.hooks, examined, reload, grant: named.grant }, ...where });
    expect((await opened(where)).examined.map(({ judgement }) => judgement.state)).toEqual(['trusted']);
  });
});
