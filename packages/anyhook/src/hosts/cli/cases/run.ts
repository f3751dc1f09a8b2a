/** Runs the cases of one file: hooks for real, once per case; what each agent makes of the outcome is read off it. */
import { dirname, resolve } from 'node:path';
import { DIALECTS } from '../../../assemble.ts';
import { EVERYTHING } from '../../../canon/capabilities.ts';
import { same } from '../../../canon/changes.ts';
import type { Definition } from '../../../canon/define.ts';
import type { Event } from '../../../canon/event.ts';
import type { Outcome } from '../../../canon/outcome.ts';
import { show } from '../../../canon/problems.ts';
import { lower } from '../../../engine/lower.ts';
import { definitionsIn } from '../../../runners/module/definitions-in.ts';
import { loadModule } from '../../../runners/module/load-module.mjs';
import { createHooks } from '../../library/create-hooks.ts';
import { runCommandCase } from './run-command.ts';
import type { Case, Heard, Suite } from './suite.ts';

export interface Verdict {
  readonly host: string;
  readonly verdict: Heard;
  /** What it would be in an agent that can do everything, where this one makes less of it. */
  readonly from?: Outcome['verdict'];
  readonly wanted?: Heard;
  readonly agrees: boolean;
}
export interface Result {
  readonly file: string;
  readonly name: string;
  readonly line: number;
  readonly ms: number;
  readonly verdicts: readonly Verdict[];
  /** What is not as expected, in words; nothing: it passed. */
  readonly failures: readonly string[];
}

export async function runSuite(suite: Suite): Promise<Result[]> {
  const { subject, file } = suite;
  if (subject.kind === 'command') return each(suite, (one) => runCommandCase(one, subject, dirname(file)));
  if (subject.kind === 'module') {
    const loaded = await loadModule(resolve(dirname(file), subject.file));
    if (!loaded.ok) return broken(suite, show(loaded.problem));
    const { definitions, problems } = definitionsIn(loaded.exports, subject.file);
    const faults = problems.filter(({ severity }) => severity === 'error');
    if (faults.length > 0) return broken(suite, faults.map(show).join('; '));
    return asked(
      suite,
      definitions.map(({ definition }) => definition),
    );
  }
  return asked(suite, subject.kind === 'definitions' ? subject.definitions : undefined);
}

/** `definitions` alone, or, without any, what the settings of this project configure. */
async function asked(suite: Suite, definitions: readonly Definition[] | undefined): Promise<Result[]> {
  const own =
    definitions === undefined
      ? {}
      : ({ settings: false, selfProtection: false, hooks: definitions } as const);
  const hooks = await createHooks({
    host: { name: 'anyhook', can: 'everything' },
    journal: false,
    mode: 'one-shot',
    ...own,
  });
  try {
    return await each(suite, async ({ event, payload }) => {
      const outcome = await hooks.fire({ name: event, payload: payload as never }); // a case says what it likes: it is a test
      return [{ host: '', outcome }];
    });
  } finally {
    await hooks.close();
  }
}

/** `host` is empty where one outcome is for all of them. */
export interface Judged {
  readonly host: string;
  readonly outcome: Outcome;
}

async function each(suite: Suite, judge: (one: Case) => Promise<readonly Judged[]>): Promise<Result[]> {
  const results: Result[] = [];
  for (const one of suite.cases) {
    const started = performance.now();
    const judged = await judge(one);
    results.push({ ...settled(suite, one, judged), ms: Math.round(performance.now() - started) });
  }
  return results;
}

function settled(
  { file, hosts }: Suite,
  { name, line, event, payload, expect }: Case,
  judged: readonly Judged[],
): Omit<Result, 'ms'> {
  const fired = {
    name: event,
    payload,
    ids: { session: '' },
    scene: { cwd: '' },
    round: 1,
  } as unknown as Event;
  const columns = judged.flatMap(({ host, outcome }) =>
    (host === '' ? hosts : [host]).map((one) => ({ host: one, outcome })),
  );
  const verdicts = columns.map(({ host, outcome }): Verdict => {
    const dialect = DIALECTS.find((one) => one.name === host);
    const isHeard = (dialect?.words[event] ?? null) !== null;
    const verdict = isHeard ? lower(outcome, fired, dialect?.can ?? EVERYTHING).verdict : 'unheard';
    const wanted = expect.hosts[host];
    const isLess = isHeard && verdict !== outcome.verdict;
    return {
      host,
      verdict,
      agrees: wanted === undefined || wanted === verdict,
      ...(wanted !== undefined && { wanted }),
      ...(isLess && { from: outcome.verdict }),
    };
  });
  return {
    file,
    name,
    line,
    verdicts,
    failures: [
      ...new Set(
        judged.flatMap(({ host, outcome }) => (host in expect.hosts ? [] : faultsIn(outcome, expect, host))),
      ),
      ...verdicts
        .filter(({ agrees }) => !agrees)
        .map(({ host, verdict, wanted }) => `${host}: expected ${wanted}, got ${verdict}`),
      ...Object.keys(expect.hosts)
        .filter((host) => !verdicts.some((one) => one.host === host))
        .map((host) => `${host}: was not judged; add it to hosts or as`),
    ],
  };
}

function faultsIn(outcome: Outcome, { verdict, reason, input }: Case['expect'], host: string): string[] {
  const where = host === '' ? '' : `${host}: `;
  const said = outcome.reasons
    .map(({ text, by, broken }) => `${text}${broken === true ? ` (${by} broke)` : ''}`)
    .join('; ');
  if (outcome.verdict !== verdict)
    return [`${where}expected ${verdict}, got ${outcome.verdict}${said === '' ? '' : `: ${said}`}`];
  // A guard that broke is shut, and looks like one that answered.
  const broke = outcome.reasons.filter(({ broken }) => broken === true);
  return [
    ...(verdict === 'deny' && broke.length === outcome.reasons.length && broke.length > 0
      ? [`${where}refused because a hook broke, not by an answer: ${said}`]
      : []),
    ...(reason !== undefined && !said.includes(reason)
      ? [`${where}expected the reason to hold ${JSON.stringify(reason)}, got ${JSON.stringify(said)}`]
      : []),
    ...(input !== undefined && !same(outcome.payload['input'], input)
      ? [
          `${where}expected the input ${JSON.stringify(input)}, got ${JSON.stringify(outcome.payload['input'])}`,
        ]
      : []),
  ];
}

const broken = ({ file, cases }: Suite, why: string): Result[] =>
  cases.map(({ name, line }) => ({ file, name, line, ms: 0, verdicts: [], failures: [why] }));
