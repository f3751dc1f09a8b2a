/** Breaks our bridge in a real agent. Calls that a guard might have refused must not run. */

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
import { CHECKOUT, CLIENT_KIND, PACKAGE } from './package-under-test.ts';
import { CHOSEN } from './packages.ts';
import { type Played, runAgent } from './run-agent.ts';

const loadsUs = (agent: AgentName): boolean => AGENTS[agent].inside !== null;
const SCRIPT = [{ shell: 'touch ran.txt' }, { text: 'done' }];

/** Returns a function that repairs the fault. */
type Fault = (copy: string) => () => void;
const whole: Fault = () => () => undefined;
const removed: Fault = (copy) => {
  renameSync(copy, `${copy}-away`);
  return () => renameSync(`${copy}-away`, copy);
};
/** `change` receives the current content and must change it. */
const changed =
  (file: string, change: (text: string) => string): Fault =>
  (copy) => {
    const there = join(copy, 'dist', file);
    const before = readFileSync(there, 'utf8');
    writeFileSync(there, change(before));
    return () => writeFileSync(there, before);
  };
const overwritten = (file: string, text: string): Fault => changed(file, () => text);
const OPENS = 'async function createHooksWith(';
const opening: Fault = (copy) => {
  const chunks = join(copy, 'dist/chunks');
  const [chunk, ...more] = readdirSync(chunks).filter(
    (name) => name.endsWith('.js') && readFileSync(join(chunks, name), 'utf8').includes(OPENS),
  );
  if (chunk === undefined || more.length > 0) throw new Error('no createHooks to break');
  const broken = "async function createHooksWith(){throw new Error('planted')}async function notCalled(";
  return changed(`chunks/${chunk}`, (text) => text.replace(OPENS, broken))(copy);
};
const THROWS = "throw new Error('planted');\n";
const KILLED = "process.kill(process.pid, 'SIGKILL');\n";
const BIN = 'bin/anyhook.cjs';

/** Faults of agents that load us as a module. Each needs its own run of the agent. */
const LOADED: readonly (readonly [string, Fault])[] = [
  ['gone', removed],
  ['no longer loadable', overwritten('in-process/open.js', THROWS)],
  ['unable to open its engine', opening],
];
/** Faults of agents that start a process for each event. All run in one session. */
const STARTED = {
  crashing: overwritten(BIN, THROWS),
  gone: removed,
  killed: overwritten(BIN, KILLED),
  whole, // Last, because its daemon would answer later events.
} as const satisfies Readonly<Record<string, Fault>>;
type StartedFault = keyof typeof STARTED;
const ORDER = Object.keys(STARTED) as readonly StartedFault[];

/** A copy of the package with its dependencies that can be broken. */
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

/** Whether the first request with this call has one more refusal than any request before. */
function isRefusalToldWith(call: string, requests: readonly string[]): boolean {
  const refusals = requests.map((body) => body.split('refused').length);
  const at = requests.findIndex((body) => body.includes(call));
  return at !== -1 && refusals[at]! > Math.max(0, ...refusals.slice(0, at));
}

/**
 * Makes one call per fault. The session starts with the first fault and ends with the last, unless another is named.
 */
function playThrough<T>(
  { agent, calls, begins = calls[0]!, options = [] }: BrokenPlay,
  look: (played: Played) => T,
): Promise<T> {
  let copy = '';
  let broken: StartedFault | undefined;
  let mend = () => {};
  const breakIt = (how: StartedFault) => {
    if (broken === how) return; // An agent may call its model again.
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
  test('no call runs while anyhook crashes, is missing or is killed, the model reads why, and calls run again after repair', async () => {
    const { output, ...seen } = await runThrough(agent);
    expect(seen, output).toEqual({ ran: ['whole'], told: ['crashing', 'gone', 'killed'] });
  });

  test('calls run with a broken anyhook that was installed with --open', async () => {
    const { output, ...seen } = await runThrough(agent, '--open');
    expect(seen, output).toEqual({ ran: ORDER, told: [] });
  });
});

/** Pairs of faults at the start and the end of a session, with a call in between. */
const ENDS = [
  ['gone', 'killed'],
  ['killed', 'gone'],
] as const;
describe.each(STARTING)('in %s', (agent) => {
  test.each(ENDS)(
    'a session that starts while anyhook is %s and ends while it is %s continues, and only the call is refused',
    async (begins, ends) => {
      const { output, ...seen } = await playThrough(
        { agent, begins, calls: [ends] },
        ({ has, requests, output: printed }) => ({
          ran: has(`${ends}.txt`),
          isRefused: isRefusalToldWith(`touch ${ends}.txt`, requests),
          // The notice at the end of a session must not resume the agent.
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
  test('a working bridge lets the call run', async () => {
    const { ran, output } = await runWith(agent, whole);
    expect(ran, output).toBe(true);
  });

  test.each(LOADED)('a call does not run while anyhook is %s, and the model reads why', async (_, fault) => {
    const { ran, isSaid, output } = await runWith(agent, fault);
    expect(ran, output).toBe(false);
    if (!output.includes('planted')) expect(isSaid, output).toBe(true);
  });

  test('a call runs with a broken anyhook that was installed with --open', async () => {
    const { ran, output } = await runWith(agent, removed, '--open');
    expect(ran, output).toBe(true);
  });
});

/** Agents that do not pass on context from before a call. */
const LOSING = (['goose', 'gemini-cli'] as const).filter((name) => CHOSEN.includes(name));
describe.each(LOSING)('an effect that %s cannot apply is reported', (agent) => {
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
