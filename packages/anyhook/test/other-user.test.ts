/** `install` and `uninstall` by a user who does not own all files: an error message, and nothing changes. */

import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { removeTree } from '../src/settings/remove-tree.ts';

const CLI = fileURLToPath(new URL('../dist/bin/anyhook.cjs', import.meta.url));
const NOBODY = 65_534;
const root = realpathSync(mkdtempSync(join(tmpdir(), 'other-user-')));
afterAll(() => removeTree(root));
chmodSync(root, 0o755);
const person = join(root, 'person.sh');
cpSync(fileURLToPath(new URL('person.sh', import.meta.url)), person);

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(root, 'home-'));
  chmodSync(home, 0o755);
  mkdirSync(join(home, 'project'));
  for (const folder of [home, join(home, 'project')]) chownSync(folder, NOBODY, NOBODY);
});
const at = (name: string): string => join(home, name);
/** A file of nobody's, with the folders above it. */
function put(name: string, text: string): void {
  mkdirSync(dirname(at(name)), { recursive: true });
  writeFileSync(at(name), text);
  for (let one = name; one !== '.'; one = dirname(one)) chownSync(at(one), NOBODY, NOBODY);
}
const toRoot = (name: string, mode: number): void => (chownSync(at(name), 0, 0), chmodSync(at(name), mode));

const asNobody = (file: string, ...args: readonly string[]) =>
  spawnSync(file, [...args], {
    encoding: 'utf8',
    cwd: existsSync(at('project')) ? at('project') : root,
    env: { PATH: process.env['PATH'], HOME: home, TMPDIR: home },
    uid: NOBODY,
    gid: NOBODY,
    timeout: 60_000,
  });
const said = ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }): string =>
  `${stdout}${stderr}`.trim().replaceAll(home, '~');
const install = (...words: readonly string[]) => asNobody(process.execPath, CLI, 'install', ...words);
const uninstall = (...words: readonly string[]) =>
  asNobody('sh', person, process.execPath, CLI, 'uninstall', ...words);
/** Every file and folder, with whose it is and what is in it. */
const everything = (): readonly string[] =>
  readdirSync(home, { recursive: true, encoding: 'utf8' })
    .toSorted()
    .map((name) => {
      const { uid, mode, nlink } = statSync(at(name));
      const isFile = statSync(at(name)).isFile();
      return [name, uid, mode, ...(isFile ? [nlink, readFileSync(at(name), 'utf8')] : [])].join(' ');
    });
/** The words that were said, and whether nothing has changed. */
function refusal(run: () => ReturnType<typeof install>): readonly [number | null, string, string] {
  const before = everything();
  const ended = run();
  const now = everything();
  return [
    ended.status,
    said(ended),
    now.join('\n') === before.join('\n') ? 'as it was' : `changed: ${now.join('\n')}`,
  ];
}

/** Its program lies where nobody may look, where the tree is in a folder of root's alone. */
const isPossible =
  process.getuid?.() === 0 &&
  (() => {
    home = root;
    return asNobody(process.execPath, CLI, '--version').status === 0;
  })();
const SETTINGS = '.codex/hooks.json';
const MINE = '{"mine": 1}';

describe.skipIf(!isPossible)(
  'for a user who is not root (needs root, and a tree that others may read)',
  () => {
    test('control: files that the user owns are changed and restored byte for byte', () => {
      put(SETTINGS, MINE);
      expect(install('codex').status).toBe(0);
      expect(readFileSync(at(SETTINGS), 'utf8')).toContain('anyhook-client codex');
      expect(uninstall('codex').status).toBe(0);
      expect(readFileSync(at(SETTINGS), 'utf8')).toBe(MINE);
    });

    const FOREIGN: Readonly<Record<string, readonly [arrange: () => void, sentence: string]>> = {
      'settings that are root’s': [
        () => (put(SETTINGS, MINE), toRoot(SETTINGS, 0o644)),
        '~/.codex/hooks.json belongs to another user and is left as it is.',
      ],
      'settings that only root reads': [
        () => (put(SETTINGS, MINE), toRoot(SETTINGS, 0o600)),
        '~/.codex/hooks.json belongs to another user and is left as it is.',
      ],
      'a folder that is root’s': [
        () => (put(SETTINGS, MINE), toRoot('.codex', 0o755)),
        '~/.codex/hooks.json cannot be written: ~/.codex is not yours to change.',
      ],
      'a folder that only root enters': [
        () => (put(SETTINGS, MINE), toRoot('.codex', 0o700)),
        '~/.codex/hooks.json cannot be looked at: you may not enter ~/.codex.',
      ],
      'the folder of the client, root’s': [
        () => (put('.local/share/anyhook/.keep', ''), toRoot('.local/share/anyhook', 0o755)),
        '~/.local/share/anyhook/anyhook-client.conf cannot be written: ~/.local/share/anyhook is not yours to change.',
      ],
      'our folder of records, root’s': [
        () => (
          put('.local/share/anyhook/installs/.keep', ''),
          toRoot('.local/share/anyhook/installs', 0o755)
        ),
        'RECORD cannot be written: ~/.local/share/anyhook/installs is not yours to change.',
      ],
      'a second name of the settings, in a folder that is root’s': [
        () => {
          put('dotfiles.json', MINE);
          put('.codex/.keep', '');
          linkSync(at('dotfiles.json'), at(SETTINGS));
          toRoot('.codex', 0o755);
        },
        '~/.codex/hooks.json cannot be written: ~/.codex is not yours to change.',
      ],
    };
    const named = (sentence: string): string =>
      sentence.replace(/~\/\.local\/share\/anyhook\/installs\/codex-[\da-f]{16}\.json/, 'RECORD');

    test.for(Object.entries(FOREIGN))('install: %s: refused, nothing written', ([, [arrange, sentence]]) => {
      arrange();
      const [status, words, tree] = refusal(() => install('codex'));
      expect([status, named(words), tree]).toEqual([2, `anyhook: install: ${sentence}`, 'as it was']);
    });

    /** Of what has become root's since the installation. */
    const SINCE: Readonly<Record<string, readonly [change: () => void, sentence: string]>> = {
      'settings that are root’s': [
        () => toRoot(SETTINGS, 0o644),
        '~/.codex/hooks.json belongs to another user and is left as it is.',
      ],
      'settings that only root reads': [
        () => toRoot(SETTINGS, 0o600),
        '~/.codex/hooks.json belongs to another user and is left as it is.',
      ],
      'a folder that is root’s': [
        () => toRoot('.codex', 0o755),
        '~/.codex/hooks.json cannot be written: ~/.codex is not yours to change.',
      ],
      'a record that only root reads': [
        () => toRoot(recordName(), 0o600),
        'RECORD belongs to another user and is left as it is.',
      ],
      'records in a folder that is root’s': [
        () => toRoot('.local/share/anyhook/installs', 0o755),
        'RECORD cannot be written: ~/.local/share/anyhook/installs is not yours to change.',
      ],
      'records in a folder that only root enters': [
        () => toRoot('.local/share/anyhook/installs', 0o700),
        'RECORD cannot be looked at: you may not enter ~/.local/share/anyhook/installs.',
      ],
      'the launcher, root’s': [
        () => toRoot('.local/share/anyhook/anyhook-client', 0o600),
        '~/.local/share/anyhook/anyhook-client belongs to another user and is left as it is.',
      ],
      'the record of what people do, root’s': [
        () => (put('.local/state/anyhook/acts.jsonl', ''), toRoot('.local/state/anyhook/acts.jsonl', 0o644)),
        '~/.local/state/anyhook/acts.jsonl belongs to another user and is left as it is.',
      ],
    };
    const recordName = (): string =>
      join('.local/share/anyhook/installs', readdirSync(at('.local/share/anyhook/installs'))[0]!);

    test.for(Object.entries(SINCE))(
      'uninstall: %s: refused, the bridge stands whole, and nobody is told that it went',
      ([, [change, sentence]]) => {
        put(SETTINGS, MINE);
        install('codex');
        change();
        const [status, words, tree] = refusal(() => uninstall('codex'));
        expect([status, named(words), tree]).toEqual([2, `anyhook: uninstall: ${sentence}`, 'as it was']);
      },
    );

    test('uninstall of the bridge and of proxies removes everything or nothing', () => {
      put(SETTINGS, MINE);
      put('.codex/config.toml', '[mcp_servers.one]\ncommand = "cat"\n');
      install('codex');
      expect(install('codex', '--mcp').status).toBe(0);
      toRoot(SETTINGS, 0o644);
      const [status, words, tree] = refusal(() => uninstall('codex'));
      expect([status, words, tree]).toEqual([
        2,
        'anyhook: uninstall: ~/.codex/hooks.json belongs to another user and is left as it is.',
        'as it was',
      ]);
    });

    test('a file with a second hard link keeps it after install and uninstall', () => {
      put('dotfiles.json', MINE);
      put('.codex/.keep', '');
      linkSync(at('dotfiles.json'), at(SETTINGS));
      expect(install('codex').status).toBe(0);
      expect(readFileSync(at('dotfiles.json'), 'utf8')).toBe(readFileSync(at(SETTINGS), 'utf8'));
      expect(uninstall('codex').status).toBe(0);
      expect([readFileSync(at('dotfiles.json'), 'utf8'), statSync(at(SETTINGS)).ino]).toEqual([
        MINE,
        statSync(at('dotfiles.json')).ino,
      ]);
    });
  },
);
