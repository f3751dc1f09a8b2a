/**
 * Compares the payloads that OpenCode plugins and oh-my-pi hooks get in this agent with recordings of those agents,
 * field by field. A missing field fails the test; deliberate omissions are listed here and in the docs of the
 * dialects.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { somebody, stage } from './fixtures/stage.ts';

type Fields = Readonly<Record<string, unknown>>;
const DIALECTS = join(import.meta.dirname, '../../../anyhook/src/agents');
function recordingsOf(dialect: string): ReadonlyMap<string, Fields> {
  const folder = join(DIALECTS, dialect, 'dialect/fixtures/recorded');
  const files = readdirSync(folder).filter((file) => !file.startsWith('_'));
  return new Map(
    files.map((file) => [basename(file, '.json'), JSON.parse(readFileSync(join(folder, file), 'utf8'))]),
  );
}
const OPENCODE = recordingsOf('opencode');
const OMP = recordingsOf('oh-my-pi');
/** Tool calls have one recording per tool. */
const TOOL = /\.(bash|edit|read|write|task)$/;
const wordsIn = (files: Iterable<string>) => [...new Set([...files].map((file) => file.replace(TOOL, '')))];

const PLUGIN = `import { appendFileSync } from 'node:fs';
export const P = async ({ directory }) => {
  const note = (name, input, output = null) =>
    appendFileSync(directory + '/../opencode.jsonl', JSON.stringify({ name, input, output }) + '\\n');
  const names = ${JSON.stringify(wordsIn(OPENCODE.keys()).filter((name) => !name.startsWith('event.')))};
  return {
    ...Object.fromEntries(names.map((name) => [name, async (input, output) => note(name, input, output)])),
    event: async ({ event }) => note('event.' + event.type, event),
  };
};`;
const HOOK = `import { appendFileSync } from 'node:fs';
export default (pi) => {
  for (const name of ${JSON.stringify(wordsIn(OMP.keys()))})
    pi.on(name, async (event, ctx) => appendFileSync(ctx.cwd + '/../omp.jsonl', JSON.stringify(event) + '\\n'));
};`;

interface Noted {
  readonly name: string;
  readonly input: Fields;
  readonly output: unknown;
}
let opencode: readonly Noted[];
let omp: readonly Fields[];
beforeAll(async () => {
  const ground = stage();
  ground.write('home/.config/opencode/plugin/notes.ts', PLUGIN);
  ground.write('home/.config/opencode/command/hello.md', 'Say hello to $ARGUMENTS');
  ground.write('home/.omp/agent/hooks/pre/notes.ts', HOOK);
  ground.write('project/there.txt', 'one\n-- two\n');
  const call = (tool: string, input: Fields) => ({
    calls: [{ tool, input }],
    usage: { input: 10, output: 5 },
  });
  const agent = await ground.open(
    {
      main: [
        call('shell', { command: 'echo hi' }),
        call('write', { path: 'a.txt', content: 'a' }),
        call('edit', { path: 'there.txt', old: '-- two', new: 'three\nfour' }),
        call('read', { path: 'a.txt' }),
        call('read', { path: 'nowhere.txt' }),
        call('task', { description: 'looks', prompt: 'look', type: 'general' }),
        call('shell', { command: 'exit 3' }),
        call('shell', { command: 'touch no' }),
        { text: 'done' },
        { text: 'hello' },
      ],
      'task:general': [{ text: 'sub done' }],
      summary: [{ text: 'a summary' }],
    },
    {
      permission: 'ask',
      person: somebody(['once', 'once', 'once', 'always', 'deny']),
      settings: { compaction: { threshold: false, keepTokens: 1 } },
    },
  );
  await agent.prompt('Please do the task.');
  await agent.runCommand('hello', 'Ada');
  await agent.compact();
  await agent.close();
  const lines = (name: string) => readFileSync(join(ground.root, name), 'utf8').trim().split('\n');
  opencode = lines('opencode.jsonl').map((line) => JSON.parse(line) as Noted);
  omp = lines('omp.jsonl').map((line) => JSON.parse(line) as Fields);
}, 120_000);

/** Paths of all values; for a list, the paths in all its items. */
function placesIn(value: unknown, at = ''): string[] {
  if (Array.isArray(value)) return [...new Set(value.flatMap((one) => placesIn(one, `${at}[]`)))];
  if (typeof value !== 'object' || value === null) return [at];
  return Object.entries(value).flatMap(([key, one]) => placesIn(one, at === '' ? key : `${at}.${key}`));
}
const missingIn = (recorded: unknown, told: readonly unknown[]): string[] => {
  const there = new Set(told.flatMap((one) => placesIn(one)));
  return placesIn(recorded).filter((place) => !there.has(place));
};
const partOf = (event: Fields) =>
  ((event['properties'] as Fields)['part'] ?? {}) as { type?: string; state?: { status?: string } };

/** Deliberate omissions per recording. The test fails if an entry is not needed. */
type LeftOut = readonly (readonly [why: string, place: RegExp])[];
const OPENCODE_LEFT_OUT: LeftOut = [
  [
    'settings of OpenCode alone',
    /^input\.(plugin|plugin_origins|autoupdate|share|small_model|username|provider\.fake)\b/,
  ],
  [
    'where and with which key the model is asked is nobody’s business',
    /^input\.provider\.options\.(baseURL|apiKey)$/,
  ],
  ['our model has another name', /^input\.provider\.models\.fake-model$/],
  ['the model’s own limit, where the settings name none', /^output\.maxOutputTokens$/],
  ['rules for later requests are OpenCode’s own', /^properties\.always\[\]$/],
  [
    'we have no slug, no prices and no rules per session',
    /^properties\.info\.(slug|path|permission|cost|tokens)\b/,
  ],
];
const OMP_LEFT_OUT: LeftOut = [
  [
    'what its client of models measures',
    /\b(api|responseId|duration|ttft|completedAt|errorId|contextSnapshot\.\w+)$/,
  ],
  ['who wrote a message is told by its role', /\.attribution$/],
  [
    'how a call came in, and why the model says it makes it',
    /\.(partialArgs|streamIndex|intent|arguments\.i)$/,
  ],
  ['its edits in one text; ours come as old and new text', /\b(arguments|input)\.input$/],
  ['details of its own tools', /\bdetails\.(timeoutSeconds|wallTimeMs|resolvedPath)$/],
  ['hooks of oh-my-pi cannot change it', /^systemPrompt\[\]$/],
  ['its settings of compaction', /^preparation\.settings\./],
  ['no turn is split here', /^preparation\.turnPrefixMessages\[\]/],
  ['entries are those of our session file', /^branchEntries\[\]/],
  ['our summaries have one length and one way', /^compactionEntry\.(shortSummary|tokensAfter|method)$/],
  ['the recording is cut short here', /^messages\[\]$/],
];
const used = new Set<string>();
const unknownIn = (missing: readonly string[], leftOut: LeftOut): string[] =>
  missing.filter((place) => {
    const why = leftOut.find(([, pattern]) => pattern.test(place))?.[0];
    if (why !== undefined) used.add(why);
    return why === undefined;
  });

describe('the input of an OpenCode plugin', () => {
  test.each([...OPENCODE])(
    'a plugin of OpenCode receives %s with every recorded field except deliberate omissions',
    (file, recorded) => {
      const isBus = file.startsWith('event.');
      const tool = TOOL.exec(file)?.[1];
      const [, part, status] = /^event\.message\.part\.updated\.(\w+)(?:-(\w+))?$/.exec(file) ?? [];
      const name = part === undefined ? file.replace(TOOL, '') : 'event.message.part.updated';
      const told = opencode.filter(
        (one) =>
          one.name === name &&
          (tool === undefined || one.input['tool'] === tool) &&
          (part === undefined ||
            (partOf(one.input).type === part && partOf(one.input).state?.status === status)),
      );
      const event = recorded['event'] ?? (recorded['input'] as Fields | undefined)?.['event'] ?? recorded;
      const whole = { input: recorded['input'], output: recorded['output'] };
      const missing = missingIn(
        isBus ? event : whole,
        told.map(({ input, output }) => (isBus ? input : { input, output })),
      );
      expect(told.length).toBeGreaterThan(0);
      expect(unknownIn(missing, OPENCODE_LEFT_OUT)).toEqual([]);
    },
  );
});

describe('the input of an oh-my-pi hook', () => {
  test.each([...OMP])(
    'a hook of oh-my-pi receives %s with every recorded field except deliberate omissions',
    (file, recorded) => {
      const tool = TOOL.exec(file)?.[1];
      const told = omp.filter(
        (one) => one['type'] === file.replace(TOOL, '') && (tool === undefined || one['toolName'] === tool),
      );
      expect(told.length).toBeGreaterThan(0);
      expect(unknownIn(missingIn(recorded, told), OMP_LEFT_OUT)).toEqual([]);
    },
  );
});

test('the lists of omitted fields contain no field that hooks receive', () => {
  const listed = [...OPENCODE_LEFT_OUT, ...OMP_LEFT_OUT].map(([why]) => why);
  expect(listed.filter((why) => !used.has(why))).toEqual([]);
});

test('ids, exit codes, statuses, replies and models may differ from the recording', () => {
  const bus = opencode.filter(({ name }) => name.startsWith('event.'));
  const inputs = (name: string) => opencode.filter((one) => one.name === name).map(({ input }) => input);
  const ids = bus.map(({ input }) => input['id']);
  expect(new Set(ids).size).toBe(ids.length);
  const replies = bus.filter(({ name }) => name === 'event.permission.replied');
  const asked = bus.filter(({ name }) => name === 'event.permission.asked');
  expect(replies.map(({ input }) => (input['properties'] as Fields)['reply'])).toEqual([
    'once',
    'once',
    'once',
    'always',
    'reject',
  ]);
  expect(replies.map(({ input }) => (input['properties'] as Fields)['requestID'])).toEqual(
    asked.map(({ input }) => (input['properties'] as Fields)['id']),
  );
  const after = opencode.filter(({ name }) => name === 'tool.execute.after');
  const metadata = after.map(({ input, output }) => [
    input['tool'],
    (output as Fields)['metadata'] as Fields,
  ]);
  expect(metadata.flatMap(([tool, said]) => (tool === 'bash' ? [(said as Fields)['exit']] : []))).toEqual([
    0, 3,
  ]);
  const [, edited] = metadata.find(([tool]) => tool === 'edit')!;
  expect((edited as Fields)['filediff']).toMatchObject({ additions: 2, deletions: 1 });
  expect(new Set(inputs('chat.params').map(({ model }) => (model as Fields)['providerID']))).toEqual(
    new Set(['scripted']),
  );
  const times = JSON.stringify(bus).matchAll(/"(?:created|start|end|completed)":(\d+)/g);
  for (const [, time] of times) expect(Number(time)).toBeGreaterThan(1.7e12);
});
