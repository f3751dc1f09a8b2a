/** Runs the cases of one file. Hooks run once per case, and the outcome is then reduced to what each agent can do. */

import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { EVERYTHING } from '../events/capabilities.ts';
import type { Definition } from '../events/define.ts';
import { show } from '../events/problems.ts';
import { foldersOf, locationsOf } from '../gather/folders.ts';
import { createHooksWith } from '../library/create-hooks.ts';
import { definitionsIn } from '../runners/module/definitions-in.ts';
import { loadModule } from '../runners/module/load-module.mjs';
import { CaseHistory } from './earlier.ts';
import { runCommandCase } from './run-command.ts';
import { type HostOutcome, type Result, caseResult } from './settle.ts';
import type { SuiteCase, Suite } from './suite.ts';

type Heard = (result: Result) => void;

export interface RunOptions {
  /** Also runs the user's own hooks. By default only the project's hooks run, so that the result is the same for all users. */
  readonly withUserHooks?: boolean;
}

/** `report` is called with each result. */
export async function runSuite(
  suite: Suite,
  report: Heard = () => {},
  options: RunOptions = {},
): Promise<Result[]> {
  const { subject, file } = suite;
  if (subject.kind === 'command')
    return each(suite, report, (one) => runCommandCase(one, subject, dirname(file)));
  if (subject.kind === 'module') {
    const loaded = await loadModule(resolve(dirname(file), subject.file));
    if (!loaded.ok) return broken(suite, report, show(loaded.problem));
    const { definitions, problems } = definitionsIn(loaded.exports, subject.file);
    const faults = problems.filter(({ severity }) => severity === 'error');
    if (faults.length > 0) return broken(suite, report, faults.map(show).join('; '));
    return asked(suite, report, {
      definitions: definitions.map(({ definition }) => definition),
    });
  }
  return asked(suite, report, {
    ...options,
    ...(subject.kind === 'definitions' && { definitions: subject.definitions }),
  });
}

interface HookSource extends RunOptions {
  /** Only these hooks. Default: the hooks of the settings. */
  readonly definitions?: readonly Definition[];
}

async function asked(suite: Suite, report: Heard, source: HookSource): Promise<Result[]> {
  if (suite.folder === undefined) return askedIn(process.cwd(), suite, report, source);
  const folder = mkdtempSync(join(tmpdir(), 'anyhook-case-'));
  try {
    return await askedIn(folder, suite, report, source);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function askedIn(
  cwd: string,
  suite: Suite,
  report: Heard,
  { definitions, withUserHooks }: HookSource,
): Promise<Result[]> {
  const isOfUser = dirname(suite.file).startsWith(foldersOf(locationsOf({ cwd })).config);
  const own =
    definitions === undefined
      ? withUserHooks
        ? {}
        : { settings: { layers: [isOfUser ? 'user' : 'project'] as const } }
      : ({ settings: false, trust: { selfProtection: false }, hooks: definitions } as const);
  const history = new CaseHistory();
  const hooks = await createHooksWith(
    { host: { name: 'anyhook', can: EVERYTHING }, journal: false, cwd, ...own },
    { history },
  );
  try {
    return await each(suite, report, async ({ event, payload, earlier = [], usage }) => {
      const session = randomUUID();
      history.start(session, cwd, earlier);
      // The hooks judge what was refused, so that they remember it as in a real session.
      for (const step of earlier)
        if (step.kind === 'call' && step.outcome === 'refused' && !step.isElsewhere)
          await hooks.fire({
            name: 'tool.before',
            payload: { tool: step.tool, input: step.input },
            ids: { session },
          });
      const outcome = await hooks.fire({
        name: event,
        payload: payload as never,
        ids: { session },
        ...(usage && { usage }),
      }); // a case says what it likes: it is a test
      return [{ host: '', outcome }];
    });
  } finally {
    await hooks.close();
  }
}

async function each(
  suite: Suite,
  report: Heard,
  judge: (one: SuiteCase) => Promise<readonly HostOutcome[]>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const one of suite.cases) {
    const started = performance.now();
    const judged = await judge(one);
    const result = { ...caseResult(suite, one, judged), ms: Math.round(performance.now() - started) };
    results.push(result);
    report(result);
  }
  return results;
}

function broken({ file, cases }: Suite, report: Heard, why: string): Result[] {
  const results = cases.map(({ name, line }) => ({ file, name, line, ms: 0, verdicts: [], failures: [why] }));
  for (const result of results) report(result);
  return results;
}
