/**
 * A story is one text file: files, commands, and what each prints.
 *
 *     # words for the reader
 *     -- home/.config/opta/config.json      a file, until a line with two dashes; from the story's folder
 *     --
 *     $ anyhook list                        run by a shell, in the folder `project`
 *     > what it prints
 *     ! what it says on stderr
 *     ? 1                                   the exit code, where it is not 0
 *     = 60                                  from here on, the number of columns
 *
 * Names stand for what differs from run to run: `$HOME`, `$PROJECT`, `<hash 1>` (also in commands), `<id>`, `<date>`, `<ms>`.
 */

import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { removeTree } from '../src/settings/remove-tree.ts';

/** `person anyhook …` in a story: typed by a person, in a terminal of their own. */
const PERSON = fileURLToPath(new URL('person.sh', import.meta.url));
const CLI = fileURLToPath(new URL('../dist/bin/anyhook.cjs', import.meta.url));

/** The story as it went: the same text where all went as told. */
export function play(story: string): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-story-')));
  try {
    return new Stage(root).play(story);
  } finally {
    removeTree(root);
  }
}

class Stage {
  readonly #root: string;
  readonly #hashes: string[] = [];
  #columns: string | undefined;

  constructor(root: string) {
    this.#root = root;
    for (const folder of ['home', 'project', 'bin']) mkdirSync(join(root, folder));
    copyFileSync(PERSON, join(root, 'bin/person'));
    this.#put('bin/anyhook', `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`);
  }

  play(story: string): string {
    const told: string[] = [];
    const lines = story.split('\n');
    for (let at = 0; at < lines.length; at++) {
      const line = lines[at]!;
      if (/^[>!?]( |$)/.test(line)) continue; // what was expected; what really came is put in its place
      told.push(line);
      if (line.startsWith('-- ')) {
        const end = lines.indexOf('--', at);
        if (end === -1) throw new SyntaxError(`line ${at + 1}: the file has no end`);
        const content = lines.slice(at + 1, end);
        this.#put(line.slice(3).trim(), `${content.join('\n')}\n`);
        told.push(...content, '--');
        at = end;
      } else if (line.startsWith('= ')) this.#columns = line.slice(2);
      else if (line.startsWith('$ ')) told.push(...this.#run(line.slice(2)));
    }
    return told.join('\n');
  }

  #put(path: string, text: string): void {
    const file = join(this.#root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    if (/\.sh$|^bin\//.test(path)) chmodSync(file, 0o755);
  }

  #run(command: string): string[] {
    const line = command.replaceAll(
      /<hash (\d+)>/g,
      (_, number) => this.#hashes[Number(number) - 1] ?? 'unknown',
    );
    const [home, cwd] = [join(this.#root, 'home'), join(this.#root, 'project')];
    const env = {
      PATH: `${join(this.#root, 'bin')}:${process.env['PATH']}`,
      HOME: home,
      PROJECT: cwd,
      TERM: 'xterm',
      NO_UPDATE_NOTIFIER: '1',
      ...(this.#columns !== undefined && { COLUMNS: this.#columns, NO_COLOR: '1' }),
    };
    const { stdout, stderr, status, signal } = spawnSync('sh', ['-c', line], {
      cwd,
      env,
      encoding: 'utf8',
      timeout: 60_000,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return [
      ...marked('>', this.#named(stdout)),
      ...marked('!', this.#named(stderr)),
      ...(status === 0 ? [] : [`? ${status ?? signal}`]),
    ];
  }

  #named(text: string): string {
    return text
      .replaceAll(join(this.#root, 'project'), '$PROJECT')
      .replaceAll(join(this.#root, 'home'), '$HOME')
      .replaceAll(/sha256:[0-9a-f]{64}/g, (hash) => {
        if (!this.#hashes.includes(hash)) this.#hashes.push(hash);
        return `<hash ${this.#hashes.indexOf(hash) + 1}>`;
      })
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g, '<id>')
      .replaceAll(/\b[0-9a-f]{64}\b/g, '<sha256>')
      .replaceAll(/approval \([0-9a-f]{8}\)/g, 'approval (<id>)')
      .replaceAll(/from \/dev\/pts\/\d+, started by [^.]+/g, 'from <terminal>, started by <programs>')
      .replaceAll(/\d{4}-\d\d-\d\d(?:T[\d:.]+Z| \d\d:\d\d(?::\d\d)?)?/g, '<date>')
      .replaceAll(/"ms": [\d.]+/g, '"ms": <ms>')
      .replaceAll(/ *\b[\d.]+ ms\b/g, ' <ms> ms');
  }
}

function marked(mark: string, text: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  else lines.push('(no newline at the end)');
  return lines.map((line) => `${mark} ${line}`.trimEnd());
}
