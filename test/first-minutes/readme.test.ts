/**
 * README and the page on npm, played from an empty home in the order in which they are read: files are written where
 * their first line says, lines after `$` are typed, programs are run. What is installed is what would be published.
 */
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LoopbackRegistry, startRegistry } from './loopback-registry.ts';

const ROOT = join(import.meta.dirname, '../..');
const PERSON = join(ROOT, 'packages/anyhook/test/person.sh');
const LONG_MS = 300_000;
const run = promisify(execFile);

let packages: string;
let registry: LoopbackRegistry;
beforeAll(async () => {
  packages = mkdtempSync(join(tmpdir(), 'anyhook-readme-'));
  const packed = await Promise.all(
    ['packages/anyhook', 'packages/agent', 'packages/fleet'].map(async (folder) => {
      const { stdout } = await run(
        'npm',
        ['pack', '--json', '--ignore-scripts', '--pack-destination', packages],
        {
          cwd: join(ROOT, folder),
        },
      );
      const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
      return [folder, join(packages, filename)] as const;
    }),
  );
  registry = await startRegistry(ROOT, Object.fromEntries(packed));
}, LONG_MS);
afterAll(() => {
  registry?.close();
  rmSync(packages, { recursive: true, force: true });
});

describe.each([
  'README.md',
  'packages/anyhook/README.md',
  'packages/agent/README.md',
  'packages/fleet/README.md',
])('%s', (page) => {
  test(
    'begins with how to get it, and every line that it prints works as it stands',
    async () => {
      const text = readFileSync(join(ROOT, page), 'utf8');
      const reader = new Reader();
      try {
        for (const [, language, body] of text.matchAll(/^```(\w+)\n(.*?)^```/gms)) {
          if (language === 'console') for (const line of linesIn(body!)) await reader.type(line);
          else reader.write(body!);
          if (language === 'ts' && body!.includes('console.log(')) await reader.runProgram(body!);
        }
        expect([reader.typed[0], reader.failed]).toEqual([expect.stringMatching(/^npm i -g /), []]);
        expect(reader.printed).toEqual(promisedBy(text));
      } finally {
        reader.leave();
      }
    },
    LONG_MS,
  );
});

const linesIn = (block: string): string[] =>
  block.split('\n').flatMap((line) => /^\$ (.*?)(?:\s+# .*)?$/.exec(line)?.[1] ?? []);

/** What programs on the page say that they print. */
const promisedBy = (text: string): string[] =>
  [...text.matchAll(/console\.log\(.*\/\/ (for the model: .*)$/gm)].map(([, said]) => said!);

/**
 * Lines of a clone have a file of their own (`fresh-clone.test.ts`); a model needs a key; a fleet needs root, a server and a
 * policy (`npm run test:fleet`).
 */
const ELSEWHERE = /^npm (?:ci|start|test)|^anyhook-agent(?: --model anthropic|$)|^anyhook-fleet /;
/** What goes on until ctrl+c, which is pressed. */
const LASTING = /^anyhook view$/;
const PRESSED = 'timeout --preserve-status -s INT 10';
/** A line that hangs is named, instead of the page. */
const LINE_MS = 120_000;
/** What only a person may do, or what asks one; `y` is typed. */
const FOR_A_PERSON = /^anyhook (?:install$|trust add)/;

class Reader {
  readonly #root = mkdtempSync(join(tmpdir(), 'anyhook-reader-'));
  readonly typed: string[] = [];
  readonly printed: string[] = [];
  readonly failed: { readonly line: string; readonly code: unknown; readonly said: string }[] = [];

  constructor() {
    for (const folder of ['home', 'project', 'bin', 'prefix']) mkdirSync(join(this.#root, folder));
    writeFileSync(join(this.#root, 'project/package.json'), '{ "private": true, "type": "module" }');
    this.#program('claude', 'echo 2.1.325'); // an agent that is here, with a server of its own
    const mcpServers = { files: { command: 'true' } };
    writeFileSync(join(this.#root, 'home/.claude.json'), JSON.stringify({ mcpServers }));
    writeFileSync(join(this.#root, 'project/play.yaml'), 'tracks: { main: [{ text: Tidy. }] }\n');
  }

  /** Where its first line says: `// ~/.config/anyhook/hooks.json`. */
  write(text: string): void {
    const [, path] = /^\/\/ (~\/\S+)\n/.exec(text) ?? [];
    if (path === undefined) return;
    const file = path.replace(/^~/, join(this.#root, 'home'));
    mkdirSync(dirname(file), { recursive: true });
    if (!existsSync(file)) writeFileSync(file, text); // a second recipe for one file is an alternative
  }

  async type(line: string): Promise<void> {
    this.typed.push(line);
    if (ELSEWHERE.test(line)) return;
    const isLasting = LASTING.test(line);
    const said = await this.#run(
      FOR_A_PERSON.test(line) ? `echo y | '${PERSON}' ${line}` : isLasting ? `${PRESSED} ${line}` : line,
    );
    if (isLasting && !said.startsWith('http://127.0.0.1:')) this.failed.push({ line, code: 0, said });
  }

  async runProgram(text: string): Promise<void> {
    writeFileSync(join(this.#root, 'project/program.mjs'), text); // no program on these pages needs its types taken out
    const said = await this.#run('node program.mjs');
    this.printed.push(...said.split('\n').filter((line) => line.startsWith('for the model: ')));
  }

  leave(): void {
    rmSync(this.#root, { recursive: true, force: true });
  }

  /** Exit 1 is an answer: something waits, nobody listens. Exit 2 is wrong use, and anything else is worse. */
  async #run(line: string): Promise<string> {
    const env = {
      PATH: [
        join(this.#root, 'prefix/bin'),
        join(this.#root, 'bin'),
        dirname(process.execPath),
        '/usr/bin:/bin',
      ].join(':'),
      HOME: join(this.#root, 'home'),
      npm_config_registry: registry.url,
      npm_config_prefix: join(this.#root, 'prefix'),
      npm_config_cache: join(packages, 'cache'),
      npm_config_audit: 'false',
    };
    const cwd = join(this.#root, 'project');
    try {
      return (await run('sh', ['-c', line], { cwd, env, timeout: LINE_MS })).stdout;
    } catch (error) {
      const {
        code,
        stdout = '',
        stderr = '',
      } = error as { code?: unknown; stdout?: string; stderr?: string };
      if (code !== 1 || /^(?:npm|node) /.test(line))
        this.failed.push({ line, code, said: `${stdout}${stderr}` });
      return stdout;
    }
  }

  #program(name: string, script: string): void {
    const file = join(this.#root, 'bin', name);
    writeFileSync(file, `#!/bin/sh\n${script}\n`);
    chmodSync(file, 0o755);
  }
}
