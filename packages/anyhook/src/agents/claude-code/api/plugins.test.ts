/** Plugins of Claude Code in other hosts, laid out as version 2.1.325 wrote them. */

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { TestGround } from '../../../library/fixtures/ground.ts';
import { shell } from '../../../library/fixtures/ground.ts';
import { withPlugins } from './fixtures/recorded-plugins.ts';

const OPEN = { journal: false } as const;
const asked = async (there: TestGround, command: string, options: object = OPEN) => {
  const outcome = await (await there.open(options)).fire(shell(command));
  return [outcome.verdict, ...outcome.reasons.map(({ text }) => text)];
};
const settings = (there: TestGround, path: string, change: (value: Record<string, never>) => object) => {
  const file = join(there.root, path);
  const now = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, never>) : {};
  there.put(path, JSON.stringify({ ...now, ...change(now) }));
};

describe('enabled plugins', () => {
  test('every hook is labelled with its plugin and layer', async () => {
    const there = withPlugins();
    const { hooks } = await there.open(OPEN);
    const listed = hooks.flatMap(({ origin, run }) =>
      origin.plugin === undefined
        ? []
        : [[origin.plugin.name, origin.layer, origin.plugin.root.slice(there.root.length + 1), run.kind]],
    );
    expect(listed).toEqual([
      ['mine@workshop', 'user', 'workshop/plugins/mine', 'command'],
      ['manifest@workshop', 'user', 'workshop/plugins/manifest', 'command'],
      ['manifest@workshop', 'user', 'workshop/plugins/manifest', 'command'],
      ['entry@workshop', 'user', 'workshop/plugins/entry', 'command'],
      ['guard@published', 'user', 'home/.claude/plugins/cache/published/guard/1.2.0', 'command'],
      ['team@workshop', 'project', 'workshop/plugins/team', 'missing'],
      ['here@workshop', 'project', 'workshop/plugins/here', 'missing'],
    ]);
  });

  test('a marketplace in a folder is read in place, and of others the copy; both get their variables', async () => {
    const there = withPlugins();
    const data = join(there.home, '.claude/plugins/data');
    expect(await asked(there, 'echo mine')).toEqual([
      'deny',
      `mine from ${there.root}/workshop/plugins/mine with ${data}/mine-workshop`,
    ]);
    expect(await asked(there, 'echo guard')).toEqual([
      'deny',
      `guard from ${there.home}/.claude/plugins/cache/published/guard/1.2.0 with ${data}/guard-published`,
    ]);
    expect(existsSync(join(data, 'mine-workshop'))).toBe(true);
  });

  test('hooks in the manifest, in files it names and in the marketplace entry run too', async () => {
    const there = withPlugins();
    const said = [];
    for (const word of ['inside', 'extra', 'entry', 'idle', 'nothing'])
      said.push(await asked(there, `echo ${word}`));
    expect(said).toEqual([['deny', 'inside'], ['deny', 'extra'], ['deny', 'entry'], ['none'], ['none']]);
  });

  test('answers to plugin questions reach its commands as variables and arguments', async () => {
    const there = withPlugins();
    settings(there, 'home/.claude/settings.json', () => ({
      pluginConfigs: { 'mine@workshop': { options: { 'deny-word': 'two words' } } },
    }));
    const handler = (more: object) => ({
      hooks: { PreToolUse: [{ hooks: [{ type: 'command', ...more }] }] },
    });
    const script = 'cat >/dev/null; printf "%s|" "$CLAUDE_PLUGIN_OPTION_DENY_WORD" "$@" >&2; exit 2';
    there.put(
      'workshop/plugins/mine/hooks/hooks.json',
      JSON.stringify(handler({ command: 'sh', args: ['-c', script, 'sh', '${user_config.deny-word}'] })),
    );
    expect(await asked(there, 'ls')).toEqual(['deny', 'two words|two words|']);
    there.put(
      'workshop/plugins/mine/hooks/hooks.json',
      JSON.stringify(handler({ command: 'echo ${user_config.deny-word}', onFailure: 'block' })),
    );
    const unsafe = await there.open(OPEN);
    expect(unsafe.problems.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/not inserted into a shell command line/),
    );
    expect((await unsafe.fire(shell('ls'))).verdict).toBe('deny');
  });
});

describe('the layer of a plugin', () => {
  test('a plugin that only project settings enable waits for trust, and runs after it is trusted', async () => {
    const there = withPlugins();
    expect([await asked(there, 'echo team'), await asked(there, 'echo here')]).toEqual([['none'], ['none']]);
    const { examined } = await there.open(OPEN);
    const hashes = examined.map(({ judgement }) => judgement.hash);
    const [verdict, reason] = await asked(there, 'echo team', { ...OPEN, trust: { hashes } });
    expect([verdict, reason]).toEqual(['deny', expect.stringMatching(/^team from /)]);
  });

  test('trust covers the bytes of the plugin script: after a change it waits again', async () => {
    const there = withPlugins();
    const { examined } = await there.open(OPEN);
    const hashes = examined.map(({ judgement }) => judgement.hash);
    expect(examined.map(({ judgement }) => judgement.trustedFiles.files.map(({ name }) => name))).toEqual([
      ['scripts/refuse.sh'],
      ['scripts/refuse.sh'],
    ]);
    const script = join(there.root, 'workshop/plugins/team/scripts/refuse.sh');
    writeFileSync(script, `${readFileSync(script, 'utf8')}\n`);
    expect(await asked(there, 'echo team', { ...OPEN, trust: { hashes } })).toEqual(['none']);
    expect((await asked(there, 'echo here', { ...OPEN, trust: { hashes } }))[0]).toBe('deny');
  });

  test('a plugin that the user enabled is a user plugin, and a project cannot disable it', async () => {
    const there = withPlugins();
    settings(there, 'home/.claude/settings.json', (now) => ({
      enabledPlugins: { ...(now['enabledPlugins'] as unknown as object), 'team@workshop': true },
    }));
    settings(there, 'project/.claude/settings.local.json', () => ({
      enabledPlugins: { 'mine@workshop': false },
    }));
    expect((await asked(there, 'echo team'))[0]).toBe('deny');
    expect((await asked(there, 'echo mine'))[0]).toBe('deny');
    const { problems } = await there.open(OPEN);
    expect(problems.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/switches mine@workshop off: a project cannot disable your own plugins/),
    );
  });

  test('a project that enables a plugin disabled by the user needs trust first', async () => {
    const there = withPlugins();
    settings(there, 'project/.claude/settings.json', () => ({ enabledPlugins: { 'idle@workshop': true } }));
    const { hooks } = await there.open(OPEN);
    const idle = hooks.find(({ origin }) => origin.plugin?.name === 'idle@workshop');
    expect([idle?.origin.layer, idle?.run]).toMatchObject(['project', { kind: 'missing' }]);
  });

  test('a project is found from a subfolder by the plugins it enables, not by plugin code in it', async () => {
    const there = withPlugins();
    there.put('project/src/deep/a.ts', '');
    const { hooks } = await there.open({ ...OPEN, cwd: join(there.cwd, 'src/deep') });
    expect(hooks.flatMap(({ origin }) => (origin.layer === 'project' ? [origin.plugin?.name] : []))).toEqual([
      'team@workshop',
      'here@workshop',
    ]);
    there.put('elsewhere/a.ts', '');
    const outside = await there.open({ ...OPEN, cwd: join(there.root, 'elsewhere') });
    expect(outside.hooks.filter(({ origin }) => origin.layer === 'project')).toEqual([]);
  });

  test('plugin code inside the project belongs to the project, whoever enabled it', async () => {
    const there = withPlugins();
    const opened = await there.open({ ...OPEN, cwd: join(there.root, 'workshop') });
    const mine = opened.hooks.find(({ origin }) => origin.plugin?.name === 'mine@workshop');
    expect([mine?.origin.layer, mine?.run]).toMatchObject(['project', { kind: 'missing' }]);
    const guard = opened.hooks.find(({ origin }) => origin.plugin?.name === 'guard@published');
    expect([guard?.origin.layer, guard?.run.kind]).toEqual(['user', 'command']);
  });
});

describe('plugin problems', () => {
  const cli = join(import.meta.dirname, '../../../../dist/bin/anyhook.cjs');
  const run = (there: TestGround, ...words: string[]) =>
    spawnSync(process.execPath, [cli, ...words], {
      cwd: there.cwd,
      env: { ...process.env, HOME: there.home, XDG_CONFIG_HOME: '', XDG_STATE_HOME: '', NO_COLOR: '1' },
      encoding: 'utf8',
    });

  test('list shows which plugins are disabled and why', { timeout: 60_000 }, () => {
    const there = withPlugins();
    rmSync(join(there.home, '.claude/plugins/known_marketplaces.json'));
    settings(there, 'home/.claude/plugins/installed_plugins.json', (now) => {
      const { 'mine@workshop': _, ...plugins } = now['plugins'] as unknown as Record<string, unknown>;
      return { plugins };
    });
    there.put('home/.claude/skills/quick/.claude-plugin/plugin.json', '{"name":"quick"}');
    there.put('home/.claude/skills/quick/hooks/hooks.json', '{"hooks":{}}');
    const { notLoaded, hooks } = JSON.parse(run(there, 'list', '--json').stdout) as {
      readonly notLoaded: readonly { readonly why: string }[];
      readonly hooks: readonly { readonly origin: { readonly plugin?: { readonly name: string } } }[];
    };
    expect(notLoaded.map(({ why }) => why)).toEqual([
      'plugin mine@workshop: switched on, but not installed; its hooks do not run',
      'plugin idle@workshop: switched off here; its hooks do not run',
      expect.stringMatching(/^Claude Code runs it as quick@skills-dir; other agents/),
    ]);
    // Without the list of marketplaces only the copies are left, and they run.
    expect(hooks.flatMap(({ origin }) => origin.plugin?.name ?? [])).toEqual([
      'manifest@workshop',
      'manifest@workshop',
      'guard@published',
      'team@workshop',
      'here@workshop',
    ]);
  });

  test('manipulated plugin lists lead nowhere and break nothing', async () => {
    for (const [file, text] of [
      ['home/.claude/plugins/installed_plugins.json', '[[[['],
      [
        'project/.claude/settings.json',
        '{"enabledPlugins":{"\\u001b]52;c;x\\u0007@m":true,"__proto__@x":true,"../..@y":true}}',
      ],
      ['home/.claude/plugins/known_marketplaces.json', '{"workshop":7}'],
      [
        'home/.claude/plugins/known_marketplaces.json',
        '{"workshop":{"source":{"source":"directory"},"installLocation":"../x"}}',
      ],
      [
        'workshop/.claude-plugin/marketplace.json',
        '{"plugins":[null,{"name":"mine","source":"./../../outside"}]}',
      ],
      [
        'workshop/plugins/mine/.claude-plugin/plugin.json',
        '{"hooks":["../../../project/evil.json","/etc/passwd",7,null]}',
      ],
    ] as const) {
      const there = withPlugins();
      there.put(
        'project/evil.json',
        '{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"exit 2"}]}]}}',
      );
      there.put(file, text);
      expect(await asked(there, 'ls'), `${file}: ${text}`).toEqual(['none']);
    }
  });

  test('an agent cannot change the hooks, script or registration of a plugin', async () => {
    const there = withPlugins();
    const opened = await there.open(OPEN);
    const verdicts = [];
    for (const path of [
      join(there.root, 'workshop/plugins/mine/hooks/hooks.json'),
      join(there.root, 'workshop/plugins/mine/scripts/refuse.sh'),
      join(there.root, 'workshop/plugins/manifest/.claude-plugin/plugin.json'),
      join(there.home, '.claude/plugins/installed_plugins.json'),
      join(there.home, '.claude/plugins/cache/published/guard/1.2.0/scripts/refuse.sh'),
      join(there.home, '.claude/settings.json'),
      join(there.root, 'workshop/plugins/mine/README.md'),
      join(there.home, '.claude/skills/new/SKILL.md'),
    ])
      verdicts.push(
        (await opened.fire({ name: 'tool.before', payload: { tool: 'write', input: { path, content: '' } } }))
          .proceed,
      );
    expect(verdicts).toEqual(['no', 'no', 'no', 'no', 'no', 'no', 'yes', 'yes']);
  });

  test(
    'in Claude Code itself its plugins are skipped; in another agent they run',
    { timeout: 60_000 },
    () => {
      const there = withPlugins();
      const fire = (as: string, payload: object) => {
        try {
          execFileSync(process.execPath, [cli, 'fire', '--as', as, '--host', as], {
            cwd: there.cwd,
            input: JSON.stringify(payload),
            env: { ...process.env, HOME: there.home, XDG_CONFIG_HOME: '', XDG_STATE_HOME: '' },
            stdio: ['pipe', 'pipe', 'pipe'],
          });
          return 0;
        } catch (error) {
          return (error as { status: number }).status;
        }
      };
      const call = {
        session_id: 's',
        cwd: there.cwd,
        tool_name: 'Bash',
        tool_input: { command: 'echo mine' },
      };
      expect([
        fire('claude-code', { ...call, hook_event_name: 'PreToolUse' }),
        fire('codex', { ...call, hook_event_name: 'PreToolUse' }),
      ]).toEqual([0, 2]);
    },
  );
});
