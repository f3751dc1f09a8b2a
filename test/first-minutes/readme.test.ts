/**
 * Follows the README and the npm page from an empty home in reading order: writes files as their first line says, runs
 * lines after `$`, and runs programs. Installs the packages as they would be published.
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
    'the page begins with the installation, and every line that it prints works',
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

/** The output that programs on the page announce in comments. */
const promisedBy = (text: string): string[] =>
  [...text.matchAll(/console\.log\(.*\/\/ (for the model: .*)$/gm)].map(([, said]) => said!);

/**
 * Lines that other tests cover: a clone (`fresh-clone.test.ts`), a model with a key, and a fleet (`npm run
 * test:fleet`).
 */
const ELSEWHERE = /^npm (?:ci|start|test)|^anyhook-agent(?: --model anthropic|$)|^anyhook-fleet /;
/** Commands that run until ctrl+c, which the test sends. */
const LASTING = /^anyhook view$/;
const PRESSED = 'timeout --preserve-status -s INT 10';
/** A timeout per line, so that the failing line is named. */
const LINE_MS = 120_000;
/** Commands that only a user may run or that ask a question. The test types `y`. */
const FOR_A_PERSON = /^anyhook (?:install$|trust add)/;

class Reader {
  readonly #root = mkdtempSync(join(tmpdir(), 'anyhook-reader-'));
  readonly typed: string[] = [];
  readonly printed: string[] = [];
  readonly failed: { readonly line: string; readonly code: unknown; readonly said: string }[] = [];

  constructor() {
    for (const folder of ['home', 'project', 'bin', 'prefix']) mkdirSync(join(this.#root, folder));
    writeFileSync(join(this.#root, 'project/package.json'), '{ "private": true, "type": "module" }');
    this.#program('claude', 'echo 2.1.325'); // An installed agent with an MCP server.
    const mcpServers = { files: { command: 'true' } };
    writeFileSync(join(this.#root, 'home/.claude.json'), JSON.stringify({ mcpServers }));
    writeFileSync(join(this.#root, 'project/play.yaml'), 'tracks: { main: [{ text: Tidy. }] }\n');
  }

  /** The file in the first line of the snippet: `// ~/.config/anyhook/hooks.json`. */
  write(text: string): void {
    const [, path] = /^\/\/ (~\/\S+)\n/.exec(text) ?? [];
    if (path === undefined) return;
    const file = path.replace(/^~/, join(this.#root, 'home'));
    mkdirSync(dirname(file), { recursive: true });
    if (!existsSync(file)) writeFileSync(file, text); // A second recipe for the same file is an alternative.
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
    writeFileSync(join(this.#root, 'project/program.mjs'), text); // Programs on these pages need no type stripping.
    const said = await this.#run('node program.mjs');
    this.printed.push(...said.split('\n').filter((line) => line.startsWith('for the model: ')));
  }

  leave(): void {
    rmSync(this.#root, { recursive: true, force: true });
  }

  /** Exit 1 is a valid answer: a hook waits for trust, or none listens. Exit 2 is a usage error. */
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
