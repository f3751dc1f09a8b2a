import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { codexHookHash } from '../agents/codex/trust.ts';
import { AGENTS } from '../agents/index.ts';
import type { Agent } from '../agents/shared/agent.ts';
import { clientConfFile, clientFile } from '../agents/shared/client-command.ts';
import { EVERYTHING } from '../events/capabilities.ts';
import { foldersOf, locationsOf } from '../gather/folders.ts';
import { createHooks } from '../index.ts';
import { carryOut } from '../install/carry-out.ts';
import { planInstall, planUninstall } from '../install/plan.ts';
import { setupFor } from '../install/setup.ts';
import { ground } from '../menu/fixtures/ground.ts';
import { pauseFileIn, writePause } from '../settings/pause.ts';
import { lint } from './lints.ts';
import type { DoctorFinding } from './look/finding.ts';
import { inspect } from './look/inspection.ts';

const OURS = 'home/.config/anyhook/hooks.json';
const CLAUDE = 'home/.claude/settings.json';
const OPTA = 'home/.config/opta/config.json';
const GEMINI = 'home/.gemini/settings.json';

type Files = Readonly<Record<string, string | object>>;
function place(files: Files) {
  const { at, where, root } = ground(
    Object.fromEntries(
      Object.entries(files).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    ),
  );
  mkdirSync(at('bin'), { recursive: true });
  const PATH = [at('bin'), '/usr/bin', '/bin', dirname(process.execPath)].join(':');
  return { at, root, where: { ...where, env: { PATH } } };
}
type Placed = ReturnType<typeof place>;

/** Notes about the rule of a dialect, and what depends on the agents of this machine. */
const QUIET: readonly string[] = ['fails-open', 'reaches-no-agent'];

/** Code, severity and line of the findings. */
async function found({ where }: Placed, wanted: (finding: DoctorFinding) => boolean = () => true) {
  const findings = lint(await inspect(where)).filter((one) => !QUIET.includes(one.code) && wanted(one));
  return findings.map(
    ({ code, severity, line }) => `${severity} ${code}${line === undefined ? '' : ` :${line}`}`,
  );
}
const check = async (files: Files) => found(place(files));

const claude = (matcher: string, handler: object = {}) => ({
  hooks: { PreToolUse: [{ matcher, hooks: [{ type: 'command', command: 'true', ...handler }] }] },
});
const opta = (entry: object) => ({ hooks: [{ event: 'tool.pre', command: 'true', ...entry }] });
const ours = (entry: object) => ({ hooks: { 'tool.before': [{ run: 'true', ...entry }] } });

describe('reach', () => {
  /** Lints with these programs as the only agents, whatever this machine has. */
  async function reached(placed: Placed, ...programs: readonly string[]) {
    const looked = await inspect(placed.where);
    const agents = programs.map((program) => ({
      program,
      file: placed.at(`bin/${program}`),
      agent: Object.values<Agent>(AGENTS).find((agent) => agent.program.name === program)!.name,
    }));
    return lint({ ...looked, agents })
      .filter(({ code }) => ['reaches-no-agent', 'no-judge'].includes(code))
      .map(({ code, what, remedy }) => [code, what, remedy]);
  }

  test('hooks of another agent that no agent here runs are named with the command that helps', async () => {
    const placed = place({ [OPTA]: opta({}), [CLAUDE]: claude('Bash') });
    expect(await reached(placed, 'claude', 'codex')).toEqual([
      [
        'reaches-no-agent',
        'No agent here runs this hook (tool.pre: true).',
        'To let them run: anyhook install claude-code codex',
      ],
    ]);
  });

  test('a hook that a bridge runs, and a machine without any agent, give no finding', async () => {
    const placed = place({ [OURS]: ours({}) });
    carryOut(
      planInstall(AGENTS['codex']!, { ...locationsOf(placed.where), scope: 'user' }, setupFor('closed')),
    );
    expect(await reached(placed, 'claude', 'codex')).toEqual([]);
    expect(await reached(place({ [OURS]: ours({}) }))).toEqual([]);
  });

  test('a prompt hook that only reaches agents through anyhook has no model', async () => {
    const prompt = { hooks: { PreToolUse: [{ hooks: [{ type: 'prompt', prompt: 'Is this safe?' }] }] } };
    const placed = place({ [CLAUDE]: prompt });
    carryOut(
      planInstall(AGENTS['codex']!, { ...locationsOf(placed.where), scope: 'user' }, setupFor('closed')),
    );
    expect((await reached(placed, 'codex')).map(([code]) => code)).toEqual(['no-judge']);
    expect(await reached(placed, 'codex', 'claude')).toEqual([]);
  });

  test('a hook on an event that no agent here has is named', async () => {
    const placed = place({ [OURS]: { hooks: { 'session.navigating': [{ run: 'true' }] } } });
    carryOut(
      planInstall(AGENTS['codex']!, { ...locationsOf(placed.where), scope: 'user' }, setupFor('closed')),
    );
    expect((await reached(placed, 'codex')).map(([, what]) => what)).toEqual([
      'No agent here has the event session.navigating.',
    ]);
  });
});

describe('matchers', () => {
  test('a tool name that no agent has is dead; a name of some agent or of a server tool is not', async () => {
    expect(await check({ [CLAUDE]: claude('Bahs') })).toEqual(['warning dead-matcher :1']);
    expect(await check({ [OPTA]: opta({ matcher: '^frobnicate$' }) })).toEqual(['warning dead-matcher :1']);
    for (const name of [
      'Bash',
      'WebSearch',
      'Write|Edit',
      'mcp__memory__.*',
      'mcp__memory__recall',
      '.*',
      '',
    ])
      expect(await check({ [CLAUDE]: claude(name) })).toEqual([]);
  });

  test('a lowercase tool name is found where the agent capitalises it, and the correct spelling is not', async () => {
    const placed = place({ [CLAUDE]: claude('bash') });
    const [finding] = lint(await inspect(placed.where)).filter(({ code }) => code === 'wrong-case');
    expect(finding).toEqual({
      code: 'wrong-case',
      severity: 'error',
      file: placed.at(CLAUDE),
      line: 1,
      hook: `${placed.at(CLAUDE)}#PreToolUse[0][0]`,
      what: '"bash" is spelled "Bash" in claude-code.',
      why: 'Names are case-sensitive, so the hook never runs there.',
      remedy: 'Write "Bash".',
    });
    expect(await check({ [OPTA]: opta({ matcher: '^RUN_.*' }) })).toEqual(['error wrong-case :1']);
    expect(await check({ [OURS]: ours({ match: 'bash' }) })).toEqual([]); // some agent uses this spelling
    expect(await check({ [OURS]: ours({ match: 'BASH' }) })).toEqual(['error wrong-case :1']);
  });

  test('invisible characters are found inside and after a name', async () => {
    const unseen = ['error unseen-letters :1'];
    for (const matcher of ['Bash\u200b', '\ufeffBash', '^Ba\u00adsh$'])
      expect(await check({ [CLAUDE]: claude(matcher) })).toEqual(unseen);
    expect(await check({ [CLAUDE]: claude('Bash', { if: 'Bash(rm *)' }) })).toEqual([]);
  });

  test('a pattern that matches more than whole names is reported as unanchored; an anchored one is not', async () => {
    expect(await check({ [CLAUDE]: claude('Edit.*|Write') })).toEqual(['warning unanchored :1']);
    expect(await check({ [CLAUDE]: claude('^(?:Edit.*|Write)$') })).toEqual([]);
    expect(await check({ [OURS]: ours({ match: '/edit/' }) })).toEqual(['warning unanchored :1']);
    expect(await check({ [OURS]: ours({ match: 'edit*' }) })).toEqual([]); // a wildcard for the whole name
  });

  test('a pattern without a linear form is reported, in the file of any agent', async () => {
    expect(await check({ [CLAUDE]: claude('^(?!Read$).*') })).toEqual(['warning pattern-not-linear :1']);
    expect(await check({ [OURS]: ours({ match: '/^(?!read$).*/' }) })).toEqual(['warning bad-matcher :1']);
  });
});

describe('timeouts', () => {
  test('milliseconds in a seconds field are reported with their line; seconds are not', async () => {
    const text = (timeout: number) =>
      `{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [\n{"type": "command", "command": "true",\n"timeout": ${timeout}}]}]}}`;
    expect(await check({ [CLAUDE]: text(30_000) })).toEqual(['warning milliseconds-for-seconds :3']);
    for (const seconds of [5, 30, 600, 1800, 3600])
      expect(await check({ [CLAUDE]: text(seconds) })).toEqual([]);
  });

  test('seconds in a milliseconds field are reported; milliseconds are not', async () => {
    const gemini = (timeout: number) => ({
      hooks: { BeforeTool: [{ matcher: '*', hooks: [{ type: 'command', command: 'true', timeout }] }] },
    });
    expect(await check({ [GEMINI]: gemini(60) })).toEqual(['error seconds-for-milliseconds :1']);
    expect(await check({ [GEMINI]: gemini(60_000) })).toEqual([]);
    expect(await check({ [OPTA]: opta({ timeout: 10 }) })).toContain('error seconds-for-milliseconds :1');
    expect(await check({ [OPTA]: opta({ timeout: 10_000 }) })).toEqual([]);
  });
});

describe('commands', () => {
  const script = (name: string) => claude('Bash', { command: `"$HOME"/hooks/${name}` });

  test('reports a script that is not executable and a missing script, but not a valid one', async () => {
    expect(await check({ [CLAUDE]: script('guard.sh'), 'home/hooks/guard.sh': '#!/bin/sh\n' })).toEqual([]);
    const placed = place({ [CLAUDE]: script('guard.sh'), 'home/hooks/guard.sh': '#!/bin/sh\n' });
    chmodSync(placed.at('home/hooks/guard.sh'), 0o644);
    expect(await found(placed)).toEqual(['error not-executable :1']);
    expect(await check({ [CLAUDE]: script('gone.sh') })).toEqual(['error missing-script :1']);
    expect(await check({ [CLAUDE]: claude('Bash', { command: 'sh ~/gone.sh' }) })).toEqual([
      'error missing-script :1',
    ]);
    expect(
      await check({ [CLAUDE]: claude('Bash', { command: 'sh ~/here.sh' }), 'home/here.sh': '' }),
    ).toEqual([]);
  });

  test('a script in `${NAME:-default}` is searched at its default path', async () => {
    const behind = claude('Bash', { command: '"${MY_HOOKS:-$HOME/hooks}/guard.sh"' });
    expect(await check({ [CLAUDE]: behind })).toEqual(['error missing-script :1']);
    expect(await check({ [CLAUDE]: behind, 'home/hooks/guard.sh': '#!/bin/sh\n' })).toEqual([]);
  });

  test('a project script is searched as its settings name it, before it is trusted', async () => {
    const files = { 'project/.opta/config.json': opta({ command: './guard.sh' }) };
    expect(await check(files)).toContain('error missing-script :1');
    expect(await check({ ...files, 'project/guard.sh': '#!/bin/sh\n' })).toEqual(['warning not-trusted :1']);
  });

  test('a command that contains only comments does nothing and is reported', async () => {
    expect(await check({ [CLAUDE]: claude('Bash', { command: '# guard' }) })).toEqual([
      'error blank-command :1',
    ]);
    expect(await check({ [CLAUDE]: claude('Bash', { command: '# guard\ntrue' }) })).toEqual([]);
  });

  test('a missing program and a missing interpreter are reported', async () => {
    expect(await check({ [CLAUDE]: claude('Bash', { command: 'no-such-program --flag' }) })).toEqual([
      'error missing-program :1',
    ]);
    expect(
      await check({ [CLAUDE]: script('g.sh'), 'home/hooks/g.sh': '#!/usr/bin/env no-such-lang\n' }),
    ).toEqual(['error missing-interpreter :1']);
    // Commands with an alternative, or that change folder first, are not judged.
    for (const command of ['no-such-program || true', 'cd /tmp && ./x.sh', 'echo hello', '"$UNKNOWN"/x.sh'])
      expect(await check({ [CLAUDE]: claude('Bash', { command }) })).toEqual([]);
  });
});

describe('settings', () => {
  test('an unknown event is reported with the nearest name, and a hook in an unread folder with the reason', async () => {
    const placed = place({
      [CLAUDE]: { hooks: { PreToolUs: [{ hooks: [{ type: 'command', command: 'true' }] }] } },
      'project/.claude/hooks/lonely.py': 'pass\n',
    });
    const findings = lint(await inspect(placed.where));
    expect(findings.map(({ code, remedy }) => [code, remedy])).toEqual([
      ['unknown-event', 'Did you mean "PreToolUse"? Its hooks do not run.'],
      ['not-read', 'Move it, name it in a settings file, or remove it.'],
    ]);
  });

  test('a pause is reported, but not after its end', async () => {
    const placed = place({ [OURS]: ours({ match: 'shell' }) });
    const file = pauseFileIn(foldersOf(locationsOf(placed.where)).data);
    expect(await found(placed)).toEqual([]);
    writePause(file, { sinceMs: Date.now() - 1000, untilMs: Date.now() + 600_000 });
    expect(await found(placed)).toEqual(['warning paused']);
  });

  test('a journal with a changed line is reported as damaged; an unchanged journal is not', async () => {
    const placed = place({ [OURS]: ours({ match: 'shell' }) });
    const hooks = await createHooks({
      host: { name: 'test', can: EVERYTHING },
      ...placed.where,
    });
    await hooks.fire({ name: 'tool.before', payload: { tool: 'Bash', input: { command: 'ls' } } });
    await hooks.close();
    expect(await found(placed)).toEqual([]);
    const { journal } = foldersOf(locationsOf(placed.where));
    appendFileSync(join(journal, readdirSync(journal)[0]!), '{"no":"record"}\n');
    expect(await found(placed)).toEqual(['error journal-damaged :2']);
  });

  test('the newest sessions of a large journal are checked, and the skipped part is reported', async () => {
    const placed = place({ [OURS]: ours({ match: 'shell' }) });
    const { journal } = foldersOf(locationsOf(placed.where));
    const put = (name: string, bytes: number, ageS: number) => {
      const file = join(journal, name);
      mkdirSync(journal, { recursive: true });
      writeFileSync(file, 'no record\n');
      truncateSync(file, bytes);
      utimesSync(file, Date.now() / 1000 - ageS, Date.now() / 1000 - ageS);
    };
    put('newest.jsonl', 10, 0);
    put('large.jsonl', 30_000_000, 60);
    put('large~~2.jsonl', 20_000_000, 30);
    put('older.jsonl', 10, 90);
    const findings = lint(await inspect(placed.where)).filter(({ code }) => code.startsWith('journal-'));
    expect(findings.map(({ code, severity, file, what }) => [code, severity, file, what])).toEqual([
      ['journal-damaged', 'error', join(journal, 'newest.jsonl'), expect.any(String)],
      ['journal-damaged', 'error', join(journal, 'older.jsonl'), expect.any(String)],
      ['journal-unread', 'note', journal, 'One session of the journal (50 MB) was not checked.'],
    ]);
  });

  test('a session in several files counts as one: its parts are not damage', async () => {
    const placed = place({ [OURS]: ours({ match: 'shell' }) });
    const fire = async () => {
      const hooks = await createHooks({
        host: { name: 'test', can: EVERYTHING },
        ...placed.where,
      });
      await hooks.fire({
        name: 'tool.before',
        payload: { tool: 'Bash', input: { command: 'ls' } },
        ids: { session: 's' },
      });
      await hooks.close();
    };
    await fire();
    const { journal } = foldersOf(locationsOf(placed.where));
    const lines = () => readFileSync(join(journal, 's.jsonl'), 'utf8').split(/(?<=\n)/);
    await fire();
    const [first, second] = lines();
    writeFileSync(join(journal, 's.jsonl'), first!);
    writeFileSync(join(journal, 's~~2.jsonl'), second!);
    expect(await found(placed)).toEqual([]);
    writeFileSync(join(journal, 's~~2.jsonl'), second!.replace('Bash', 'Bosh'));
    expect(await found(placed)).toEqual(['error journal-damaged :1']);
  });
});

describe('guards', () => {
  const open = async (files: Files) =>
    lint(await inspect(place(files).where))
      .filter(({ code }) => code === 'fails-open')
      .map(({ severity }) => severity);

  test('a guard that lets calls pass when it breaks is noted; one that blocks or only observes is not', async () => {
    expect(await open({ [CLAUDE]: claude('Bash') })).toEqual(['note']);
    expect(await open({ [CLAUDE]: claude('Bash', { onFailure: 'block' }) })).toEqual([]);
    expect(await open({ [OURS]: ours({ match: 'shell' }) })).toEqual([]);
    expect(await open({ [OURS]: ours({ match: 'shell', roles: ['observer'] }) })).toEqual([]);
  });

  test('a guard that has failed open is a warning with the day', async () => {
    const placed = place({ [CLAUDE]: claude('Bash', { command: 'exit 7' }) });
    const hooks = await createHooks({
      host: { name: 'test', can: EVERYTHING },
      ...placed.where,
    });
    const { verdict } = await hooks.fire({
      name: 'tool.before',
      payload: { tool: 'Bash', input: { command: 'ls' } },
    });
    await hooks.close();
    const [finding] = lint(await inspect(placed.where)).filter(({ code }) => code === 'fails-open');
    expect([verdict, finding?.severity, finding?.what]).toEqual([
      'none',
      'warning',
      expect.stringMatching(/the call runs; that happened on \d{4}-/),
    ]);
  });
});

describe('bridges', () => {
  const install = ({ where, at }: Placed, scope: 'user' | 'project' = 'user') =>
    carryOut(
      planInstall(
        AGENTS['claude-code'],
        { scope, home: at('home'), cwd: at('project'), env: where.env },
        setupFor('closed'),
      ),
    );
  const edit = ({ at }: Placed, change: (text: string) => string) => {
    const file = at(CLAUDE);
    writeFileSync(file, change(readFileSync(file, 'utf8')));
  };

  test('a new bridge has no findings; one for the user and one for the project fire twice', async () => {
    const placed = place({});
    install(placed);
    expect(await found(placed)).toEqual([]);
    install(placed, 'project');
    expect(await found(placed)).toEqual(['error bridge-twice :6']);
  });

  test('a bridge that an update of the agent overwrote is reported as gone, but not after an uninstall', async () => {
    const placed = place({});
    install(placed);
    const installed = readFileSync(placed.at(CLAUDE), 'utf8');
    writeFileSync(placed.at(CLAUDE), '{ "settingsVersion": 3 }\n');
    expect(await found(placed)).toEqual(['error bridge-gone']);
    rmSync(placed.at(CLAUDE));
    expect(await found(placed)).toEqual(['error bridge-gone']);
    writeFileSync(placed.at(CLAUDE), installed);
    expect(await found(placed)).toEqual([]);
    const { at, where } = placed;
    const user = { scope: 'user', home: at('home'), cwd: at('project'), env: where.env } as const;
    carryOut(planUninstall(AGENTS['claude-code'], user, setupFor('closed')));
    expect(await found(placed)).toEqual([]);
  });

  test('bridge entries that the agent does not trust and skips are reported', async () => {
    const placed = place({});
    const { at } = placed;
    const where = { scope: 'user', home: at('home'), cwd: at('project'), env: placed.where.env } as const;
    carryOut(planInstall(AGENTS.codex, where, setupFor('closed')));
    const skipped = async () => (await found(placed, ({ code }) => code === 'bridge-skipped')).length;
    expect(await skipped()).toBe(1);
    const [bridge] = (await inspect(placed.where)).installed;
    const trusted = bridge!.entries.map((entry) => {
      const key = `${at('home/.codex/hooks.json')}:${entry.word.replaceAll(/(?<=.)([A-Z])/g, '_$1').toLowerCase()}:0:0`;
      return `[hooks.state.${JSON.stringify(key)}]\ntrusted_hash = "${codexHookHash(entry)}"\n`;
    });
    writeFileSync(at('home/.codex/config.toml'), trusted.join(''));
    expect(await found(placed)).toEqual([]);
    writeFileSync(at('home/.codex/config.toml'), trusted.slice(1).join(''));
    const [finding] = lint(await inspect(placed.where)).filter(({ code }) => code === 'bridge-skipped');
    expect(finding?.what).toBe(
      'Codex CLI will skip 1 of the 11 entries of our bridge (SessionStart): Codex has never trusted it.',
    );
  });

  test('an agent whose timeout is shorter than ours is reported', async () => {
    const placed = place({});
    install(placed);
    edit(placed, (text) => text.replace('"timeout": 600', '"timeout": 60'));
    expect(await found(placed, ({ code }) => code === 'host-timeout')).toEqual(['error host-timeout :6']);
  });

  test('a bridge to a missing file is reported as broken', async () => {
    const placed = place({});
    install(placed);
    const [client, conf] = [clientFile(placed.where), clientConfFile(placed.where)];
    const [program, text] = [readFileSync(client), readFileSync(conf, 'utf8')];
    expect(await found(placed)).toEqual([]);
    writeFileSync(conf, text.replaceAll('/anyhook.cjs', '/gone/anyhook.cjs'));
    expect(await found(placed)).toEqual(['error bridge-broken']);
    rmSync(conf);
    expect(await found(placed)).toEqual(['error bridge-broken']);
    writeFileSync(conf, `${text}# changed by hand\n`);
    expect(await found(placed)).toEqual(['warning bridge-changed']);
    writeFileSync(conf, text);
    rmSync(client);
    expect(await found(placed)).toEqual(['error bridge-broken']);
    writeFileSync(client, `${program}# another program`);
    expect(await found(placed)).toEqual(['warning bridge-changed']);
  });

  test('a hook with an explicit timeout longer than any agent waits is reported', async () => {
    const slow = place({ [OURS]: ours({ match: 'shell', timeoutMs: 600_000 }) });
    expect(await found(slow)).toEqual([]);
    install(slow);
    expect(await found(slow)).toEqual(['warning host-timeout :1']);
  });

  test('the same command in the files of two agents is reported as running twice; another command is not', async () => {
    const files = { [CLAUDE]: claude('Bash', { command: 'echo a' }), [OPTA]: opta({ command: 'echo a' }) };
    expect(await check(files)).toEqual(['warning runs-twice :1']);
    expect(await check({ ...files, [OPTA]: opta({ command: 'echo b' }) })).toEqual([]);
  });

  test('a file that two agents read is reported as one file', async () => {
    const placed = place({ [CLAUDE]: claude('Bash', { command: 'echo a' }) });
    mkdirSync(placed.at('home/.codex'));
    symlinkSync(placed.at(CLAUDE), placed.at('home/.codex/hooks.json'));
    const [finding] = lint(await inspect(placed.where)).filter(({ code }) => code === 'runs-twice');
    expect([finding?.file, finding?.what]).toEqual([
      placed.at('home/.codex/hooks.json'),
      `${placed.at(CLAUDE)} is the same file, and is read as claude-code's and as codex's.`,
    ]);
  });
});
