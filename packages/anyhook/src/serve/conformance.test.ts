/** `anyhook serve` itself passes the cases that every client must pass. */

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ownProgramFile } from '../own-files.mjs';

const CLI = ownProgramFile('bin/anyhook').replace(/\.js$/, '.cjs');
const FILE = join(import.meta.dirname, '../../../../clients/conformance/cases.json');

interface Fired {
  readonly event: string;
  readonly payload: object;
}
interface Step {
  readonly fire?: Fired;
  readonly cancel?: Fired;
  readonly after?: string;
  readonly expect?: object;
  readonly error?: string;
  readonly write?: Readonly<Record<string, unknown>>;
  readonly wants?: readonly string[];
  readonly together?: readonly Step[];
}
interface Case {
  readonly name: string;
  readonly can?: object;
  readonly files: Readonly<Record<string, unknown>>;
  readonly steps: readonly Step[];
}
interface Answer {
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly data: { readonly code: string } };
}
const { can, cases } = JSON.parse(readFileSync(FILE, 'utf8')) as { can: object; cases: Case[] };

/** A client in forty lines, as docs/serve.md describes it. */
class Client {
  readonly root = mkdtempSync(join(tmpdir(), 'ah-conformance-'));
  readonly #child = spawn(process.execPath, [CLI, 'serve'], {
    cwd: this.root,
    env: { PATH: process.env['PATH'], HOME: this.root },
  });
  readonly #open = new Map<number, (answer: Answer) => void>();
  #last = 0;
  wants: readonly string[] = [];

  constructor() {
    createInterface({ input: this.#child.stdout }).on('line', (line) => {
      const message = JSON.parse(line) as Answer & { id?: number; params?: { wants: string[] } };
      if (message.id === undefined) this.wants = message.params!.wants;
      else this.#open.get(message.id)!(message);
    });
  }
  request(method: string, params: object): { readonly id: number; readonly answer: Promise<Answer> } {
    const id = ++this.#last;
    const answer = new Promise<Answer>((resolve) => this.#open.set(id, resolve));
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return { id, answer };
  }
  write(files: Readonly<Record<string, unknown>>): void {
    for (const [name, content] of Object.entries(files)) {
      const text = typeof content === 'string' ? content : JSON.stringify(content);
      const path = join(this.root, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(
        path,
        text
          .replaceAll('{home}', join(this.root, 'home'))
          .replaceAll('{project}', join(this.root, 'project')),
      );
    }
  }
  async close(): Promise<void> {
    this.#child.stdin.end();
    await new Promise((resolve) => this.#child.once('close', resolve));
    rmSync(this.root, { recursive: true, force: true });
  }
}

async function run(client: Client, step: Step): Promise<void> {
  const params = (fired: Fired) => ({ session: 's1', ...fired });
  if (step.write !== undefined) client.write(step.write);
  if (step.together !== undefined) await Promise.all(step.together.map((one) => run(client, one)));
  if (step.wants !== undefined)
    await expect.poll(() => client.wants, { timeout: 10_000 }).toEqual(step.wants);
  if (step.fire !== undefined) {
    const answer = await client.request('fire', params(step.fire)).answer;
    if (step.error === undefined) expect(answer.result).toMatchObject(step.expect!);
    else expect(answer.error!.data.code).toBe(step.error);
  }
  if (step.cancel !== undefined) {
    const { id, answer } = client.request('fire', params(step.cancel));
    while (!existsSync(join(client.root, step.after!))) await pause(10);
    await client.request('cancel', { id }).answer;
    expect((await answer).result).toMatchObject(step.expect!);
  }
}

test.each(cases)(
  'anyhook serve: $name',
  async ({ can: own = can, files, steps }) => {
    const client = new Client();
    client.write({ 'project/.keep': '', 'home/.keep': '', ...files });
    const opened = await client.request('open', {
      protocol: 1,
      host: { name: 'conformance', can: own },
      cwd: join(client.root, 'project'),
      home: join(client.root, 'home'),
    }).answer;
    client.wants = opened.result!['wants'] as string[];
    for (const step of steps) await run(client, step);
    await client.close();
  },
  60_000,
);
