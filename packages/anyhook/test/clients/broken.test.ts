/** Our own bridge, broken under a real agent: what a guard might have refused does not run. */
import { cpSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type AgentName, AGENTS } from '../../src/agents/index.ts';
import { put } from './guards.ts';
import { CHOSEN } from './packages.ts';
import { PACKAGE, runAgent } from './run-agent.ts';

const loadsUs = (agent: AgentName): boolean => AGENTS[agent].inside !== null;
const SCRIPT = [{ shell: 'touch ran.txt' }, { text: 'done' }];

type Fault = (copy: string) => void;
const removed: Fault = (copy) => rmSync(copy, { recursive: true });
const overwritten =
  (file: string, text: string): Fault =>
  (copy) => {
    const there = join(copy, 'dist', file);
    statSync(there); // or nothing would be broken
    writeFileSync(there, text);
  };
const opening: Fault = (copy) => {
  const file = join(copy, 'dist/bin/fire.cjs');
  const [before, after, ...more] = readFileSync(file, 'utf8').split('async function createHooks(');
  if (after === undefined || more.length > 0) throw new Error(`no createHooks to break in ${file}`);
  const broken = `async function createHooks(){throw new Error('planted')}async function notCalled(`;
  writeFileSync(file, `${before}${broken}${after}`);
};
const THROWS = "throw new Error('planted');\n";
const KILLED = "process.kill(process.pid, 'SIGKILL');\n";
const BIN = 'bin/anyhook.cjs';

const faultsOf = (agent: AgentName): [string, Fault][] =>
  loadsUs(agent)
    ? [
        ['gone', removed],
        ['no longer loadable', overwritten('hosts/in-process/open.js', THROWS)],
        ['unable to open its engine', opening],
      ]
    : [
        ['gone', removed],
        ['crashing', overwritten(BIN, THROWS)],
        ['killed', overwritten(BIN, KILLED)],
      ];

/** Installed from a copy, so that it can be broken. */
const runWith = (agent: AgentName, fault: Fault, ...options: string[]) =>
  runAgent(
    agent,
    {
      script: SCRIPT,
      async prepare({ root, anyhook }) {
        const copy = join(root, 'anyhook');
        mkdirSync(copy);
        for (const part of ['dist', 'package.json'])
          cpSync(join(PACKAGE, part), join(copy, part), { recursive: true });
        symlinkSync(join(PACKAGE, 'node_modules'), join(copy, 'node_modules'));
        symlinkSync(join(PACKAGE, '../../node_modules'), join(root, 'node_modules'));
        await anyhook(['install', agent, '--json', ...options], copy);
        fault(copy);
      },
    },
    ({ has, asked, output }) => ({ ran: has('ran.txt'), isSaid: /refused/.test(asked), output }),
  );

describe.each(CHOSEN)('in %s', (agent) => {
  test('a bridge that is whole lets the call run', async () => {
    const { ran, output } = await runWith(agent, () => undefined);
    expect(ran, output).toBe(true);
  });

  test.each(faultsOf(agent))(
    'where anyhook is %s the call does not run, and the model is told',
    async (_, fault) => {
      const { ran, isSaid, output } = await runWith(agent, fault);
      expect(ran, output).toBe(false);
      if (!output.includes('planted') || !loadsUs(agent)) expect(isSaid, output).toBe(true);
    },
  );

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
