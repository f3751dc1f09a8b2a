/**
 * Plays the demo: a policy is written, checked, packed and applied on three machines. Agents work under it, and their
 * records arrive.
 */

import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Paint } from 'anyhook/views';
import { applyPolicy, KEY } from '../policy/apply.ts';
import type { DemoFolders, DemoMachine } from './folders.ts';
import { startServer } from './nats-server.ts';

export interface Demo {
  readonly folders: DemoFolders;
  readonly print: (line: string) => void;
  readonly paint: Paint;
  readonly signal: AbortSignal;
}

const PROGRAM = fileURLToPath(new URL('../../bin/anyhook-fleet.mjs', import.meta.url));
const DEVELOPER = fileURLToPath(new URL('developer.js', import.meta.url));

const POLICY = {
  'policy.json': '{ "version": 1, "journal": "required" }\n',
  'hooks.json': `{
  "hooks": {
    "tool.before": [
      { "name": "history-stays", "match": "danger:history" },
      // A trial rule: it decides and is recorded, but not enforced.
      { "name": "who-publishes", "match": "danger:publish", "shadow": true }
    ]
  }
}
`,
};

export async function play(demo: Demo): Promise<void> {
  const { folders, print, paint, signal } = demo;
  const run = makeRun(demo);
  print(paint('bold', 'anyhook-fleet: one policy for many developers, and an audit trail that arrives'));
  print('');
  print('Three machines, three agents, one NATS server, all in a temporary folder. The');
  print('policy, the hooks, the records and the server are real; the agents are played.');
  const server = await startServer();
  try {
    await rollOut(demo, run);
    print('');
    print(paint('bold', 'Their agents work'));
    await Promise.all(folders.machines.map((machine) => work(machine, signal)));
    for (const { user, agent, name } of folders.machines) print(`  ${user} with ${agent} on ${name}`);

    await run(['stream', '--nats', server.address]);
    await Promise.all(
      folders.machines.map(({ name, user, journal: { folder, heads } }) =>
        run([
          'ship',
          '--nats',
          server.address,
          '--once',
          '--machine',
          name,
          '--user',
          user,
          '--journal',
          folder,
          '--heads',
          heads,
        ]),
      ),
    );
    for (const [title, args] of [
      ['What was refused, by whom it was tried', ['log', '--verdict', 'deny']],
      ['What the rule on trial would have refused', ['report']],
      ['Is all of it there, as it was written?', ['verify']],
    ] as const) {
      print('');
      print(paint('bold', title));
      print(paint('dim', `$ anyhook-fleet ${args.join(' ')}`));
      print(indented(await run([...args, '--nats', server.address])));
    }
  } finally {
    await server.close();
  }
  print('');
  print('The server, the machines and their records are gone, nothing is left behind.');
  print('How to do this for your developers: docs/fleet.md');
}

/** Checks and packs the policy, and applies it on each machine. */
async function rollOut({ folders, print, paint }: Demo, run: Run): Promise<void> {
  const policy = join(folders.office, 'policy');
  const key = join(folders.office, 'ours');
  const archive = join(folders.office, 'policy-1.tar');
  mkdirSync(policy);
  for (const [name, text] of Object.entries(POLICY)) writeFileSync(join(policy, name), text);
  const steps = [
    ['policy', 'check', policy],
    ['policy', 'key', key],
    ['policy', 'pack', policy, '--key', `${key}.key`, '--out', archive],
  ];
  print('');
  print(paint('bold', 'A policy'));
  print(indented(paint('dim', POLICY['hooks.json'].trimEnd())));
  for (const step of steps) {
    print(paint('dim', `$ anyhook-fleet ${shortened(step.join(' '), folders)}`));
    print(indented(await run(step)));
  }
  for (const { name, managed } of folders.machines) {
    copyFileSync(`${key}.pub`, join(managed.folder, KEY));
    const { version } = await applyPolicy(readFileSync(archive), managed);
    print(`  ${name}: version ${version} is in force`);
  }
}

type Run = (args: readonly string[]) => Promise<string>;

const makeRun =
  ({ folders, signal }: Demo): Run =>
  async (args) => {
    const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, ...args], {
      signal,
      env: { ...process.env, COLUMNS: '80', ...(process.stdout.isTTY && { FORCE_COLOR: '1' }) },
    });
    return shortened(stdout.trimEnd(), folders);
  };

const work = async (machine: DemoMachine, signal: AbortSignal): Promise<void> =>
  void (await promisify(execFile)(process.execPath, [DEVELOPER, JSON.stringify(machine)], { signal }));

const shortened = (text: string, { root, office }: DemoFolders): string =>
  text.replaceAll(`${office}/`, '').replaceAll(`${root}/`, '');
const indented = (text: string): string => text.replaceAll(/^/gm, '  ');
