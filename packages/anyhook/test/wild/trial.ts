/** One package, at home and with us, and what is written down about it. */

import { isDeepStrictEqual } from 'node:util';
import type { Answers } from './answers.ts';
import { inOpenCode, inPi, nativeMs, oracleOf } from './at-home.ts';
import { hooksAlone, hooksFired } from './claude-hooks.ts';
import { keyOf, type WildPackage } from './packages.ts';
import type { WildResult } from './results.ts';
import { sdkProgram } from './sdk-programs.ts';
import { type AgentEnd, dangerOf, type HostEnds, inHosts, inOurLoaders } from './with-us.ts';

/** Without ends in hosts: it is no hook of an agent. */
export interface Trial extends Partial<HostEnds> {
  readonly home: Answers | undefined;
  readonly ours: Answers | undefined;
  readonly nativeMs?: number | undefined;
}

export async function tryPackage(wild: WildPackage): Promise<Trial> {
  if (wild.kind === 'agent-sdk')
    return { home: await sdkProgram(wild, 'theirs'), ours: await sdkProgram(wild, 'ours') };
  const [ours, home] = await SIDES[wild.kind](wild);
  return {
    home,
    ours,
    ...(await inHosts(wild)),
    ...(wild.kind === 'opencode' && { nativeMs: await nativeMs(wild) }),
  };
}

type Sides = (wild: WildPackage) => Promise<readonly [ours: Answers | undefined, home: Answers | undefined]>;
const modules =
  (home: (wild: WildPackage) => Promise<Answers | undefined>): Sides =>
  async (wild) => [await inOurLoaders(wild), await home(wild)];
const SIDES: Readonly<Record<Exclude<WildPackage['kind'], 'agent-sdk'>, Sides>> = {
  opencode: modules(inOpenCode),
  pi: modules(inPi),
  'oh-my-pi': modules(inPi),
  'claude-code': async (wild) => [await hooksFired(wild), await hooksAlone(wild)],
};

/** Does it refuse, at home, what guards refuse? */
export const refuses = (wild: WildPackage, { home }: Trial): boolean =>
  home?.answers.some((answer) => isRefusal(answer, dangerOf(wild))) === true;

/** Does it refuse everything at first: since nobody is there to be asked, or until it is told what for? */
export const refusesAll = ({ home }: Trial): boolean =>
  home?.answers.some((answer) => answer['type'] === 'tool_call' && isRefusal(answer, 'ls -l')) === true ||
  home?.answers.find((answer) => answer['name'] === 'PreToolUse')?.['verdict'] === 'deny';

function isRefusal(answer: Answers['answers'][number], danger: string): boolean {
  const { name, threw, verdict, said, input } = answer as Readonly<{
    name?: string;
    threw?: string;
    verdict?: string;
    said?: { readonly block?: boolean };
    input?: { readonly command?: string };
  }>;
  if (name === 'tool.execute.before') return threw !== undefined;
  if (name === 'PreToolUse') return verdict === 'deny';
  return said?.block === true && input?.command === danger;
}

const RUNTIMES = { bun: 'Bun', node22: 'Node 22' } as const;

export function resultOf(wild: WildPackage, trial: Trial): WildResult {
  const { home, ours, fire, agent } = trial;
  const same = (home?.answers ?? []).filter((answer, at) => isDeepStrictEqual(answer, ours?.answers[at]));
  return {
    package: keyOf(wild),
    version: wild.version,
    date: new Date().toISOString().slice(0, 10),
    node: process.versions.node,
    on: wild.needs === undefined ? 'Node' : RUNTIMES[wild.needs],
    oracle: home === undefined ? null : oracleOf(wild),
    registers: Object.fromEntries(
      Object.entries(ours?.registered ?? {}).flatMap(([kind, names]) =>
        names.length > 0 ? [[kind, names.length]] : [],
      ),
    ),
    asAtHome: isDeepStrictEqual(home?.registered, ours?.registered),
    answers: { same: same.length, of: home?.answers.length ?? 0 },
    ...(fire && { fire: fire.code === 2 ? 'refuses' : fire.code === 0 ? 'passes' : `exit ${fire.code}` }),
    ...(agent && { agent: agentWord(agent) }),
    ms: {
      ours: Math.round(ours?.ms ?? 0),
      ...(home && { home: Math.round(home.ms) }),
      ...(trial.nativeMs && { native: Math.round(trial.nativeMs) }),
    },
    problem: ours === undefined ? 'did not answer' : plain(ours.errors?.[0]),
    lacks: wild.lacks ?? null,
  };
}

const agentWord = ({ code, ran }: AgentEnd): string =>
  code === 0 ? `${ran.danger ? 'runs' : ran.harmless ? 'refuses' : 'refuses all'}, ends` : `exit ${code}`;

/** Without what is only of this machine. */
const plain = (text: string | undefined): string | null =>
  text === undefined
    ? null
    : text
        .replaceAll(/\/\S+\/node_modules\//g, '')
        .replaceAll(/\s+/g, ' ')
        .slice(0, 200);
