/** Our own bridge, broken under a real agent: what a guard might have refused does not run. */
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type AgentName, AGENTS } from '../../src/agents/index.ts';
import { put } from './guards.ts';
import { CHOSEN } from './packages.ts';
import { CHECKOUT, CLIENT_KIND, PACKAGE } from './package-under-test.ts';
import { type Played, runAgent } from './run-agent.ts';

const loadsUs = (agent: AgentName): boolean => AGENTS[agent].inside !== null;
const SCRIPT = [{ shell: 'touch ran.txt' }, { text: 'done' }];

/** Gives back what takes the fault away again. */
type Fault = (copy: string) => () => void;
const whole: Fault = () => () => undefined;
const removed: Fault = (copy) => {
  renameSync(copy, `${copy}-away`);
  return () => renameSync(`${copy}-away`, copy);
};
/** `change` is given what is there, or nothing would be broken. */
const changed =
  (file: string, change: (text: string) => string): Fault =>
  (copy) => {
    const there = join(copy, 'dist', file);
    const before = readFileSync(there, 'utf8');
    writeFileSync(there, change(before));
    return () => writeFileSync(there, before);
  };
const overwritten = (file: string, text: string): Fault => changed(file, () => text);
const opening: Fault = (copy) => {
  const chunk = readdirSync(join(copy, 'dist/chunks')).find((name) => /^create-hooks-.*\.js$/.test(name));
  return changed(`chunks/${chunk}`, (text) => {
    const [before, after, ...more] = text.split('async function createHooks(');
    if (after === undefined || more.length > 0) throw new Error('no createHooks to break');
    const broken = `async function createHooks(){throw new Error('planted')}async function notCalled(`;
    return `${before}${broken}${after}`;
  })(copy);
};
const THROWS = "throw new Error('planted');\n";
const KILLED = "process.kill(process.pid, 'SIGKILL');\n";
const BIN = 'bin/anyhook.cjs';

/** Of an agent that loads us, for each of which it is started. */
const LOADED: readonly (readonly [string, Fault])[] = [
  ['gone', removed],
  ['no longer loadable', overwritten('in-process/open.js', THROWS)],
  ['unable to open its engine', opening],
];
/** Of an agent that starts us anew for each event: one after the other, in one session. */
const STARTED = {
  crashing: overwritten(BIN, THROWS),
  gone: removed,
  killed: overwritten(BIN, KILLED),
  whole, // last: its daemon would answer later events
} as const satisfies Readonly<Record<string, Fault>>;
type StartedFault = keyof typeof STARTED;
const ORDER = Object.keys(STARTED) as readonly StartedFault[];

/** A copy of the package that can be broken, with what it needs beside it. */
function copyInto(root: string): string {
  const copy = join(root, 'anyhook');
  mkdirSync(copy);
  for (const part of ['dist', 'package.json'])
    cpSync(join(PACKAGE, part), join(copy, part), { recursive: true });
  symlinkSync(join(PACKAGE, 'node_modules'), join(copy, 'node_modules'));
  symlinkSync(join(CHECKOUT, 'node_modules'), join(root, 'node_modules'));
  if (CLIENT_KIND === 'native') symlinkSync(join(CHECKOUT, 'packages/client'), join(root, 'client'));
  return copy;
}

const runWith = (agent: AgentName, fault: Fault, ...options: string[]) =>
  runAgent(
    agent,
    {
      script: SCRIPT,
      async prepare({ root, anyhook }) {
        const copy = copyInto(root);
        await anyhook(['install', agent, '--json', ...options], copy);
        fault(copy);
      },
    },
    ({ has, asked, output }) => ({ ran: has('ran.txt'), isSaid: /refused/.test(asked), output }),
  );

/** The first request that holds this call and what came of it holds one refusal more than any before. */
function isRefusalToldWith(call: string, requests: readonly string[]): boolean {
  const refusals = requests.map((body) => body.split('refused').length);
  const at = requests.findIndex((body) => body.includes(call));
  return at !== -1 && refusals[at]! > Math.max(0, ...refusals.slice(0, at));
}

/** One call under each of these faults; the session begins with the first and ends with the last, unless another is named. */
function playThrough<T>(
  { agent, calls, begins = calls[0]!, options = [] }: BrokenPlay,
  look: (played: Played) => T,
): Promise<T> {
  let copy = '';
  let broken: StartedFault | undefined;
  let mend = () => {};
  const breakIt = (how: StartedFault) => {
    if (broken === how) return; // an agent may ask its model again
    broken = how;
    mend();
    mend = STARTED[how](copy);
  };
  return runAgent(
    agent,
    {
      script: [...calls.map((how) => ({ shell: `touch ${how}.txt` })), { text: 'done at last' }],
      async prepare(scene) {
        copy = copyInto(scene.root);
        await scene.anyhook(['install', agent, '--json', ...options], copy);
        breakIt(begins);
      },
      beforeCall(text) {
        const how = calls.find((one) => text.includes(`touch ${one}.txt`));
        if (how !== undefined) breakIt(how);
      },
    },
    look,
  );
}
interface BrokenPlay {
  readonly agent: AgentName;
  readonly calls: readonly StartedFault[];
  readonly begins?: StartedFault;
  readonly options?: readonly string[];
}

const runThrough = (agent: AgentName, ...options: string[]) =>
  playThrough({ agent, calls: ORDER, options }, ({ has, requests, output }) => ({
    ran: ORDER.filter((how) => has(`${how}.txt`)),
    told: ORDER.filter((how) => isRefusalToldWith(`touch ${how}.txt`, requests)),
    output,
  }));

const LOADING = CHOSEN.filter(loadsUs);
const STARTING = CHOSEN.filter((agent) => !loadsUs(agent));

describe.each(STARTING)('in %s', (agent) => {
  test('where anyhook is crashing, gone or killed no call runs, and the model is told; once it is whole they do', async () => {
    const { output, ...seen } = await runThrough(agent);
    expect(seen, output).toEqual({ ran: ['whole'], told: ['crashing', 'gone', 'killed'] });
  });

  test('installed with --open they run', async () => {
    const { output, ...seen } = await runThrough(agent, '--open');
    expect(seen, output).toEqual({ ran: ORDER, told: [] });
  });
});

/** A session begins under one of them and ends under the other; between them lies a call. */
const ENDS = [
  ['gone', 'killed'],
  ['killed', 'gone'],
] as const;
describe.each(STARTING)('in %s', (agent) => {
  test.each(ENDS)(
    'a session that begins while anyhook is %s and ends while it is %s goes its way, but for the call',
    async (begins, ends) => {
      const { output, ...seen } = await playThrough(
        { agent, begins, calls: [ends] },
        ({ has, requests, output: printed }) => ({
          ran: has(`${ends}.txt`),
          isRefused: isRefusalToldWith(`touch ${ends}.txt`, requests),
          // What was said to the person at its end would be a reason to go on, if it were one.
          isKeptFromStopping: requests.some((body) => body.includes('no hook was called')),
          isAnswered: printed.includes('done at last'),
          output: printed,
        }),
      );
      const wanted = { ran: false, isRefused: true, isKeptFromStopping: false, isAnswered: true };
      expect(seen, output).toEqual(wanted);
    },
  );
});

describe.each(LOADING)('in %s', (agent) => {
  test('a bridge that is whole lets the call run', async () => {
    const { ran, output } = await runWith(agent, whole);
    expect(ran, output).toBe(true);
  });

  test.each(LOADED)('where anyhook is %s the call does not run, and the model is told', async (_, fault) => {
    const { ran, isSaid, output } = await runWith(agent, fault);
    expect(ran, output).toBe(false);
    if (!output.includes('planted')) expect(isSaid, output).toBe(true);
  });

  test('installed with --open it runs', async () => {
    const { ran, output } = await runWith(agent, removed, '--open');
    expect(ran, output).toBe(true);
  });
});

/** Neither passes on context from before a call. */
const LOSING = (['goose', 'gemini-cli'] as const).filter((name) => CHOSEN.includes(name));
describe.each(LOSING)('what a hook asks for and %s cannot do', (agent) => {
  const CONTEXT = `import { defineHook } from 'anyhook';
export default defineHook({ on: 'tool.before', run: () => ({ kind: 'context', text: 'mind the gap' }) });
`;
  test.each([
    ['is lost', [], true],
    ['is refused where it was installed with --strict', ['--strict'], false],
  ] as const)('%s', async (_, options, runs) => {
    const played = await runAgent(
      agent,
      {
        script: SCRIPT,
        async prepare({ home, anyhook }) {
          put(home, '.config/anyhook/hooks/context.mjs', CONTEXT);
          await anyhook(['install', agent, '--json', ...options]);
        },
      },
      ({ has, asked, output }) => ({ ran: has('ran.txt'), asked, output }),
    );
    expect(played.ran, played.output).toBe(runs);
    expect(played.asked.includes('this agent cannot do what hooks ask for: context')).toBe(!runs);
  });
});
