import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  linkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse } from 'jsonc-parser';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type AgentName, AGENTS } from '../agents/index.ts';
import type { InstallScope, Setup, InstallLocation } from '../agents/shared/bridge.ts';
import { clientConfFile, clientFile } from '../agents/shared/client-command.ts';
import { moduleLauncherFile } from '../agents/shared/module-file.ts';
import { carryOut } from './carry-out.ts';
import { MESSY } from './fixtures/messy.ts';
import { planInstall, planUninstall, type Step } from './plan.ts';

const SETUP: Setup = {
  node: "/opt/no de/it's/node",
  bin: '/opt/anyhook/dist/main.js',
  client: { kind: 'native', file: import.meta.filename },
  moduleUrl: 'file:///opt/anyhook/open.js',
  failure: 'closed',
};
let root = '';
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'install-')));
  mkdirSync(join(root, 'home'));
  mkdirSync(join(root, 'project'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const where = (scope: InstallScope = 'user'): InstallLocation => ({
  scope,
  home: join(root, 'home'),
  cwd: join(root, 'project'),
  env: {},
});
const filesOf = (agent: AgentName, scope: InstallScope = 'user') =>
  AGENTS[agent].bridge(where(scope)).map(({ file }) => file);
const install = (agent: AgentName, scope: InstallScope = 'user', setup = SETUP) => {
  const plan = planInstall(AGENTS[agent], where(scope), setup);
  if (!plan.idle) carryOut(plan);
  return plan;
};
const uninstall = (agent: AgentName, scope: InstallScope = 'user') => {
  const plan = planUninstall(AGENTS[agent], where(scope), SETUP);
  if (!plan.idle) carryOut(plan);
  return plan;
};
const put = (file: string, text: string | Buffer) => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
};
const ENTRY_AGENTS = ['claude-code', 'codex', 'gemini-cli'] as const;
const WHOLE_AGENTS = ['goose', 'opencode', 'pi', 'oh-my-pi'] as const;
const tree = (folder: string) => readdirSync(folder, { recursive: true }).toSorted();

describe.each(ENTRY_AGENTS)('%s', (agent) => {
  test.each(Object.entries(MESSY))('uninstall restores %s byte for byte', (_, text) => {
    const file = filesOf(agent)[0]!;
    put(file, text);
    install(agent);
    const installed = readFileSync(file, 'utf8');
    expect(installed).not.toBe(text);
    const [before, after] = [text, installed].map(
      (one) => parse(one.replace('\uFEFF', '') || '{}') ?? {},
    ) as [Record<string, unknown>, Record<string, Record<string, unknown[]>>];
    expect({ ...after, hooks: 0 }).toEqual({ ...before, hooks: 0 });
    expect(install(agent).idle).toBe(true);
    expect(readFileSync(file, 'utf8')).toBe(installed);
    uninstall(agent);
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(uninstall(agent).idle).toBe(true);
  });

  /** User edits at the beginning and at the end of the file. */
  const touched = (text: string): string => {
    const [first, last] = [text.indexOf('{') + 1, text.lastIndexOf('}')];
    return `${text.slice(0, first)} /* mine */${text.slice(first, last)}/* and mine */${text.slice(last)}`;
  };
  test.each(Object.entries(MESSY).filter(([, text]) => text.includes('{') && text !== '{}'))(
    'uninstall of %s, edited since, removes all traces of us and keeps comments and layout',
    (_, text) => {
      const file = filesOf(agent)[0]!;
      put(file, text);
      install(agent);
      writeFileSync(file, touched(readFileSync(file, 'utf8')));
      uninstall(agent);
      expect(readFileSync(file, 'utf8')).toBe(touched(text));
    },
  );

  test('a file that did not exist is removed again, with the folders created for it', () => {
    const before = tree(root);
    install(agent);
    expect(existsSync(filesOf(agent)[0]!)).toBe(true);
    uninstall(agent);
    expect(tree(root).filter((name) => !String(name).includes('.config'))).toEqual(before);
  });

  test.each<[string | Buffer, string]>([
    ['{"a": 1', 'cut off'],
    ['[1]', 'a list'],
    ['{"a": 1, "a": 2}', 'a key twice'],
    ['{"hooks": []}', 'hooks as a list'],
    ['{"hooks": {"PreToolUse": {}}}', 'an object where a list belongs'],
    [Buffer.from([0x7b, 0xff, 0x7d]), 'bytes that are no text'],
  ])('%s is refused and left alone (%s)', (text) => {
    const file = filesOf(agent)[0]!;
    put(file, text);
    expect(() => planInstall(AGENTS[agent], where(), SETUP)).toThrow(file);
    expect(readFileSync(file)).toEqual(Buffer.from(text));
  });

  test('a newer build replaces an older one, and the first file can still be restored', () => {
    const file = filesOf(agent)[0]!;
    put(file, MESSY['line comments']!);
    install(agent);
    install(agent, 'user', { ...SETUP, bin: '/opt/newer/anyhook/main.js' });
    const now = readFileSync(clientConfFile(where()), 'utf8');
    expect([now.includes('/opt/newer/'), now.includes('/opt/anyhook/dist/main.js')]).toEqual([true, false]);
    uninstall(agent);
    expect(readFileSync(file, 'utf8')).toBe(MESSY['line comments']);
  });

  test('install keeps mode bits and follows a link to its file', () => {
    const file = filesOf(agent)[0]!;
    const real = join(root, 'home', 'dotfiles.json');
    put(real, '{"a":1}');
    chmodSync(real, 0o640);
    mkdirSync(dirname(file), { recursive: true });
    symlinkSync(real, file);
    install(agent);
    expect([statSync(real).mode & 0o777, readFileSync(real, 'utf8').includes('anyhook-client')]).toEqual([
      0o640,
      true,
    ]);
    uninstall(agent);
    expect([statSync(real).mode & 0o777, readFileSync(real, 'utf8')]).toEqual([0o640, '{"a":1}']);
  });

  test('install does not follow a link out of the project or a broken link', () => {
    const file = filesOf(agent, 'project')[0]!;
    mkdirSync(dirname(file), { recursive: true });
    put(join(root, 'home', 'other.json'), '{}');
    symlinkSync(join(root, 'home', 'other.json'), file);
    expect(() => planInstall(AGENTS[agent], where('project'), SETUP)).toThrow('leads out of the project');
    rmSync(file);
    symlinkSync(join(root, 'nowhere'), file);
    expect(() => planInstall(AGENTS[agent], where('project'), SETUP)).toThrow(
      'a link to a file that is not there',
    );
  });

  test('a file that changes between diff and write is not overwritten', () => {
    const file = filesOf(agent)[0]!;
    put(file, '{}');
    const plan = planInstall(AGENTS[agent], where(), SETUP);
    writeFileSync(file, '{"mine": true}');
    expect(() => carryOut(plan)).toThrow('changed in the meantime');
    expect(readFileSync(file, 'utf8')).toBe('{"mine": true}');
  });
});

describe.each(WHOLE_AGENTS)('%s', (agent) => {
  test.each(['user', 'project'] as const)('one %s install leaves nothing behind after uninstall', (scope) => {
    const before = tree(root);
    install(agent, scope);
    expect(filesOf(agent, scope).every((file) => existsSync(file))).toBe(true);
    expect(install(agent, scope).idle).toBe(true);
    uninstall(agent, scope);
    expect(tree(root).filter((name) => !String(name).includes('.config'))).toEqual(
      before.filter((name) => !String(name).includes('.config')),
    );
    expect(filesOf(agent, scope).some((file) => existsSync(file))).toBe(false);
  });

  test.each(Object.entries(MESSY))('a neighbour (%s) is not changed', (_, text) => {
    const neighbour = join(dirname(filesOf(agent)[0]!), 'neighbour.js');
    put(neighbour, text);
    install(agent);
    uninstall(agent);
    expect(readFileSync(neighbour, 'utf8')).toBe(text);
  });

  test('a file of the same name that is not ours is left unchanged', () => {
    const file = filesOf(agent)[0]!;
    put(file, '// my own\n');
    expect(() => planInstall(AGENTS[agent], where(), SETUP)).toThrow('is not ours');
    expect(() => planUninstall(AGENTS[agent], where(), SETUP)).toThrow('is not ours');
    expect(readFileSync(file, 'utf8')).toBe('// my own\n');
  });
});

describe('files that we may not write', () => {
  const records = () => join(root, 'home', '.local', 'share', 'anyhook', 'installs');

  test('a read-only file is rejected with a message even for root, and leaves no record', () => {
    const file = filesOf('codex')[0]!;
    put(file, '{}');
    chmodSync(file, 0o444);
    expect(() => install('codex')).toThrow(`${file} is read-only and is left as it is`);
    expect([readFileSync(file, 'utf8'), existsSync(records()), existsSync(clientFile(where()))]).toEqual([
      '{}',
      false,
      false,
    ]);
  });

  test('a failed write leaves no record and no partial change', () => {
    const [manifest, hooks] = filesOf('goose') as [string, string];
    const plan = planInstall(AGENTS.goose, where(), SETUP);
    const broken = { ...plan, steps: plan.steps.map(beyondTheDisk(hooks)) };
    expect(() => carryOut(broken)).toThrow('ENAMETOOLONG');
    expect([existsSync(manifest), existsSync(clientFile(where())), existsSync(records())]).toEqual([
      false,
      false,
      false,
    ]);
  });
  /** A valid file name that is too long for a temporary name beside it, so that only the write fails. */
  const beyondTheDisk =
    (file: string) =>
    (step: Step): Step => {
      const path = join(dirname(file), 'x'.repeat(250));
      return step.target.path === file ? { ...step, target: { ...step.target, file: path, path } } : step;
    };

  test('a file with a second hard link keeps it and its mode', () => {
    const file = filesOf('codex')[0]!;
    const second = join(root, 'home', 'second.json');
    put(file, '{}');
    chmodSync(file, 0o640);
    linkSync(file, second);
    install('codex');
    expect([readFileSync(second, 'utf8'), statSync(second).ino, statSync(second).mode & 0o777]).toEqual([
      readFileSync(file, 'utf8'),
      statSync(file).ino,
      0o640,
    ]);
    uninstall('codex');
    expect([readFileSync(second, 'utf8'), statSync(second).ino]).toEqual(['{}', statSync(file).ino]);
  });
});

test('without a record, our entries are recognised by their line', () => {
  const file = filesOf('codex')[0]!;
  put(file, '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "mine"}]}]}}\n');
  install('codex');
  rmSync(join(root, 'home', '.local', 'share', 'anyhook', 'installs'), { recursive: true });
  uninstall('codex');
  const { hooks } = JSON.parse(readFileSync(file, 'utf8')) as { hooks: Record<string, unknown[]> };
  expect(Object.values(hooks).flat()).toEqual([{ hooks: [{ type: 'command', command: 'mine' }] }]);
});

test('only the owner can read the record', () => {
  install('claude-code');
  const folder = join(root, 'home', '.local', 'share', 'anyhook', 'installs');
  const modes = readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o777);
  expect([modes, statSync(folder).mode & 0o777]).toEqual([[0o600], 0o700]);
});

test('control: parsing and printing again would not restore most of these files', () => {
  const naive = Object.values(MESSY).filter((text) => {
    try {
      return JSON.stringify(JSON.parse(text), null, 2) === text;
    } catch {
      return false;
    }
  });
  expect(naive.length).toBeLessThan(4);
});

describe('the client', () => {
  test('the client is written with the first bridge, for its owner only, and removed with the last', () => {
    install('codex');
    const [client, conf] = [clientFile(where()), clientConfFile(where())];
    const modes = [client, conf].map((file) => statSync(file).mode & 0o777);
    expect([modes, install('codex').idle]).toEqual([[0o700, 0o600], true]);
    expect(readFileSync(client)).toEqual(readFileSync(SETUP.client.file));
    install('gemini-cli', 'project');
    uninstall('codex');
    expect(existsSync(client)).toBe(true); // another agent still starts it
    uninstall('gemini-cli', 'project');
    expect([existsSync(client), existsSync(dirname(client))]).toEqual([false, false]);
  });

  test('user settings name the client by its path, and project settings by a path below $HOME', () => {
    install('claude-code');
    install('claude-code', 'project');
    const commandIn = (file: string) =>
      (
        JSON.parse(readFileSync(file, 'utf8')) as {
          hooks: { SessionStart: [{ hooks: [{ command: string }] }] };
        }
      ).hooks.SessionStart[0].hooks[0].command;
    const [user, project] = [filesOf('claude-code')[0]!, filesOf('claude-code', 'project')[0]!].map(
      commandIn,
    );
    expect(user).toMatch(new RegExp(`^'?${clientFile(where())}'? claude-code \\|\\| `));
    expect(project).toMatch(/^"\$HOME\/\.local\/share\/anyhook\/anyhook-client" claude-code \|\| /);
    expect(project!.includes(where().home)).toBe(false);
    expect(project!.length).toBeLessThan(230);
  });

  test('the client is installed once when a second agent was planned before the first was carried out', () => {
    const plans = (['codex', 'gemini-cli'] as const).map((agent) =>
      planInstall(AGENTS[agent], where(), SETUP),
    );
    for (const plan of plans) carryOut(plan);
    expect(install('gemini-cli').idle).toBe(true);
  });

  test('the client replaces the launcher of versions before 0.2 once no agent starts it, and uninstall removes the launcher', () => {
    const launcher = join(where().home, '.config/anyhook/launcher/fire');
    const old = "/bin/sh -c '. /x/anyhook/launcher/fire' fire --as codex --host codex --deadline-ms 590000";
    const [codex, gemini] = [filesOf('codex')[0]!, filesOf('gemini-cli')[0]!];
    const settings = (command: string) =>
      JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command }] }] } });
    install('gemini-cli');
    put(gemini, settings(old.replaceAll('codex', 'gemini-cli')));
    put(codex, settings(old));
    put(launcher, '# the launcher');
    install('codex');
    expect([existsSync(launcher), readFileSync(codex, 'utf8').includes('launcher')]).toEqual([true, false]);
    install('gemini-cli');
    expect([existsSync(launcher), readFileSync(gemini, 'utf8').includes('launcher')]).toEqual([false, false]);
    put(launcher, '# the launcher');
    uninstall('codex');
    expect([existsSync(launcher), existsSync(dirname(launcher))]).toEqual([false, false]);
  });

  describe('settings with entries of a version before 0.2', () => {
    const BEFORE = '{\n  // mine\n  "model": "x"\n}\n';
    const fileOf = () => filesOf('claude-code')[0]!;
    /** Writes what that version installed: the entries, its record and the launcher. */
    function installOld(): string {
      const launcher = join(where().home, '.config/anyhook/launcher/fire');
      const command = `set -- fire --as claude-code --host claude-code --deadline-ms 590000; launcher=${launcher}; closed=1 file="~/.claude/settings.json"; [ -r "$launcher" ] && . "$launcher"; echo "$launcher is gone" >&2; exit 2`;
      const handler = { type: 'command', command, timeout: 600, onFailure: 'block' };
      const entries = { PreToolUse: [{ hooks: [handler] }], Stop: [{ hooks: [handler] }] };
      const installed = BEFORE.replace('"x"', `"x",\n  "hooks": ${JSON.stringify(entries)}`);
      const record = {
        agent: 'claude-code',
        scope: 'user',
        files: [
          {
            path: fileOf(),
            before: Buffer.from(BEFORE).toString('base64'),
            after: createHash('sha256').update(installed).digest('hex'),
            made: ['hooks', 'hooks.PreToolUse', 'hooks.Stop'],
            folders: [],
          },
        ],
      };
      // The record of our own installation has the same path.
      put(fileOf(), BEFORE);
      install('claude-code');
      const installs = join(where().home, '.local/share/anyhook/installs');
      put(join(installs, readdirSync(installs)[0]!), JSON.stringify(record));
      put(fileOf(), installed);
      put(launcher, '# the launcher');
      return installed;
    }

    test('uninstall restores settings of a version before 0.2 byte for byte and removes the launcher', () => {
      installOld();
      uninstall('claude-code');
      expect([
        readFileSync(fileOf(), 'utf8'),
        existsSync(join(where().home, '.config/anyhook/launcher')),
      ]).toEqual([BEFORE, false]);
    });

    test('uninstall restores settings of a version before 0.2 byte for byte after an upgrade', () => {
      const installed = installOld();
      install('claude-code');
      const upgraded = readFileSync(fileOf(), 'utf8');
      expect([upgraded === installed, upgraded.includes('launcher')]).toEqual([false, false]);
      uninstall('claude-code');
      expect(readFileSync(fileOf(), 'utf8')).toBe(BEFORE);
    });

    test('uninstall removes only our entries from settings of a version before 0.2 that the user edited', () => {
      put(fileOf(), installOld().replace('"x"', '"y"'));
      uninstall('claude-code');
      expect(readFileSync(fileOf(), 'utf8')).toBe(BEFORE.replace('"x"', '"y"'));
    });
  });

  test('the client is not installed for an agent that loads our module', () => {
    install('opencode');
    const file = moduleLauncherFile(where());
    expect([existsSync(clientFile(where())), statSync(file).mode & 0o777]).toEqual([false, 0o600]);
    install('codex');
    install('pi', 'project');
    uninstall('opencode');
    expect(existsSync(file)).toBe(true);
    uninstall('pi', 'project');
    expect([existsSync(file), existsSync(clientFile(where()))]).toEqual([false, true]);
    uninstall('codex');
    expect(existsSync(dirname(file))).toBe(false);
  });

  test('the installed module finds us without a path of this machine if the project is shared', async () => {
    const open = join(where().home, 'elsewhere/open.mjs');
    put(open, 'export const open = async (agent) => ({ agent, node: process.env.ANYHOOK_NODE });');
    const setup = { ...SETUP, moduleUrl: pathToFileURL(open).href };
    const plan = install('opencode', 'project', setup);
    const file = plan.steps.find(({ target }) => target.file.endsWith('anyhook.js'))!.target.file;
    const text = readFileSync(file, 'utf8');
    expect([text.includes(where().home), text.includes(setup.node), text.includes('file://')]).toEqual([
      false,
      false,
      false,
    ]);
    const code = `import(${JSON.stringify(pathToFileURL(file).href)}).then(async (m) => console.log(JSON.stringify(await m.default.server({}))))`;
    const env = { PATH: process.env['PATH'], HOME: where().home };
    const { stdout } = spawnSync(process.execPath, ['-e', code], { env, encoding: 'utf8' });
    expect(JSON.parse(stdout)).toEqual({ agent: 'opencode', node: setup.node });
  });
});
