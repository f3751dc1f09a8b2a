/**
 * Runs every host in the documentation unmodified against hooks with each verdict and each effect on the turn: no host
 * runs a refused call. Needs the built package (`npm test` builds).
 */

import { execFile } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { transformSync } from 'rolldown/utils';
import { beforeAll, describe, expect, test } from 'vitest';
import type { EventName } from '../packages/anyhook/src/events/events.ts';
import { stoppedBy } from '../packages/anyhook/src/events/proceed.ts';

const ROOT = join(import.meta.dirname, '..');
const run = promisify(execFile);

interface Example {
  readonly name: string;
  readonly text: string;
}

const pages = [
  'README.md',
  'packages/anyhook/README.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file)),
];
/** Complete programs that open hooks and fire tool calls. */
const shown = pages.flatMap((page): Example[] =>
  [...readFileSync(join(ROOT, page), 'utf8').matchAll(/^```ts\n(.*?)^```/gms)]
    .map(([, text]) => text!)
    .filter((text) => /createHooks\(/.test(text) && /\.fire\(|wrapTools?\(/.test(text))
    .map((text, i) => ({ name: `${page} ${i + 1}`, text })),
);
/** `examples/embed` exports functions of a model and tools, which are called once. */
const embedded = readdirSync(join(ROOT, 'examples/embed'))
  .filter((file) => file.endsWith('.ts'))
  .map((file): Example => ({
    name: basename(file),
    text: `${readFileSync(join(ROOT, 'examples/embed', file), 'utf8')}\nawait answer(...theAgentOf('${file}'));`,
  }));
/** A planted unsafe example from an old version of the npm page, which the test must detect. */
const BAD: Example = {
  name: 'a host that minds nothing but a deny',
  text: `import { createHooks } from 'anyhook';
const full = { deny: 'full', ask: 'full', defer: 'full', halt: 'full', set: 'full' } as const;
const hooks = await createHooks({ host: { name: 'my-agent', can: { 'tool.before': full } } });
const { verdict, reason, payload } = await hooks.fire({
  name: 'tool.before',
  payload: { tool: 'shell', input: { command: 'rm -rf build' } },
});
if (verdict === 'deny') tellTheModel(reason);
else run(payload.input);`,
};
const EXAMPLES = [...shown, ...embedded, BAD];

/** Declarations that the reader's own program would have. Running a call prints `run`. */
const THE_READERS_OWN = `
import { tool } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { z } from 'zod';

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const runs = (input) => (console.log('run', input), 'done');
/** A scripted model that requests one call. */
const scripted = () => {
  let turns = 0;
  return new MockLanguageModelV3({
    doGenerate: async () => {
      const isFirst = turns++ === 0;
      const call = { type: 'tool-call', toolCallId: 'c1', toolName: 'shell', input: '{"command":"rm -rf build"}' };
      return {
        content: isFirst ? [call] : [{ type: 'text', text: 'Done.' }],
        finishReason: { unified: isFirst ? 'tool-calls' : 'stop', raw: undefined },
        usage,
        warnings: [],
      };
    },
  });
};
const byHand = () => {
  let turns = 0;
  const calls = [{ id: 'c1', tool: 'shell', input: { command: 'rm -rf build' } }];
  return async () => (turns++ === 0 ? { text: '', calls } : { text: 'Done.' });
};
const tools = { shell: tool({ inputSchema: z.object({ command: z.string() }), execute: async (input) => runs(input) }) };
Object.assign(globalThis, {
  command: 'rm -rf build',
  prompt: 'go',
  signal: new AbortController().signal,
  run: runs,
  sh: runs,
  tools,
  tellTheModel: () => {},
  askThePerson: async () => play.person === 'yes',
  theAgentOf: (file) => (file === 'ai-sdk.ts' ? [scripted(), tools, 'go'] : [byHand(), { shell: async (input) => runs(input) }, 'go']),
});
Object.defineProperty(globalThis, 'model', { get: scripted });
`;
/** Runs all examples in one process and separates their output. */
const PLAY = `
import './readers-own.mjs';
const [plays, files] = JSON.parse(process.argv[2]);
const say = console.log;
const told = [];
for (const play of plays) {
  globalThis.play = play;
  const ran = [];
  for (const file of files) {
    const lines = [];
    console.log = (...words) => void lines.push(words[0]);
    await import('./' + file + '?' + told.length);
    if (lines.includes('run')) ran.push(file);
  }
  told.push(ran);
}
say(JSON.stringify(told));
`;
/** A user hook that returns the given answer on the given event. */
const hookOn = (on: EventName) => `import { defineHook } from 'anyhook';
export default defineHook({
  on: '${on}',
  run: () => (play.on === '${on}' && play.kind !== 'nothing' ? { kind: play.kind, reason: 'because' } : undefined),
});
`;

const ON = ['tool.before', 'prompt.submit'] as const;
const ANSWERS = ['nothing', 'allow', 'ask', 'defer', 'deny', 'halt', 'cancel', 'resume', 'retry'] as const;
interface Play {
  readonly on: (typeof ON)[number];
  readonly kind: (typeof ANSWERS)[number];
  readonly person: 'yes' | 'no';
}
const APPROVED: Play = { on: 'tool.before', kind: 'ask', person: 'yes' };
const PLAYS: readonly Play[] = [
  ...ON.flatMap((on) => ANSWERS.map((kind): Play => ({ on, kind, person: 'no' }))),
  APPROVED,
];

const fileOf = (example: Example) => `example-${EXAMPLES.indexOf(example)}.mjs`;
let told: readonly (readonly string[])[];
beforeAll(async () => {
  const root = mkdtempSync(join(tmpdir(), 'anyhook-examples-'));
  const [home, folder] = [join(root, 'home'), join(root, 'project')];
  mkdirSync(folder);
  try {
    const put = (file: string, text: string) => writeFileSync(join(folder, file), text);
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
    put('readers-own.mjs', THE_READERS_OWN);
    put('play.mjs', PLAY);
    for (const example of EXAMPLES) put(fileOf(example), transformSync('example.ts', example.text).code);
    mkdirSync(join(home, '.config/anyhook/hooks'), { recursive: true });
    for (const on of ON) put(`../home/.config/anyhook/hooks/${on}.ts`, hookOn(on));
    const input = JSON.stringify([PLAYS, EXAMPLES.map(fileOf)]);
    const { stdout } = await run(process.execPath, ['play.mjs', input], {
      cwd: folder,
      env: { PATH: process.env['PATH'], HOME: home },
    });
    told = JSON.parse(stdout) as typeof told;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}, 300_000);

/** The examples that ran the call. */
const ranIn = (play: Play): string[] => {
  const at = PLAYS.findIndex(
    ({ on, kind, person }) => on === play.on && kind === play.kind && person === play.person,
  );
  return names(EXAMPLES.filter((example) => told[at]!.includes(fileOf(example))));
};
const names = (examples: readonly Example[]) => examples.map(({ name }) => name);
const fires = (on: EventName) => (example: Example) =>
  example.text.includes(`'${on}'`) || (on === 'tool.before' && /wrapTools?\(/.test(example.text));

test('the README, the npm page, the documentation and examples/embed contain hosts', () => {
  expect(names(shown)).toEqual([
    'README.md 1',
    'packages/anyhook/README.md 1',
    'docs/ai-sdk.md 1',
    'docs/library.md 1',
    'docs/library.md 2',
  ]);
  expect(names(embedded)).toEqual(['ai-sdk.ts', 'hand-written-loop.ts']);
  expect([...shown, ...embedded].filter(fires('prompt.submit')).length).toBeGreaterThan(0);
});

describe.each(ON)('when a hook answers on %s', (on) => {
  const asking = EXAMPLES.filter(fires(on));
  test.each(ANSWERS)(
    '%s, no host runs a call that the answer stops, and every host runs a call that it allows',
    (kind) => {
      const isStopped = kind !== 'nothing' && stoppedBy(on).includes(kind);
      // The planted example obeys only a deny.
      const minding = isStopped ? asking.filter((example) => example !== BAD || kind === 'deny') : [];
      expect(ranIn({ on, kind, person: 'no' })).toEqual(
        names(EXAMPLES.filter((example) => !minding.includes(example))),
      );
    },
  );
});

test('a host that supports questions runs the call after the user answers yes', () => {
  const put = EXAMPLES.filter(({ text }) => text.includes('askThePerson('));
  expect(put.length).toBeGreaterThan(1);
  expect(ranIn(APPROVED)).toEqual(names([...put, BAD]));
});
