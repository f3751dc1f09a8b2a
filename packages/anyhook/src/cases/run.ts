/** Runs the cases of one file: hooks for real, once per case; what each agent makes of the outcome is read off it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { EVERYTHING } from '../events/capabilities.ts';
import type { Definition } from '../events/define.ts';
import { show } from '../events/problems.ts';
import { definitionsIn } from '../runners/module/definitions-in.ts';
import { loadModule } from '../runners/module/load-module.mjs';
import { createHooks } from '../library/create-hooks.ts';
import { runCommandCase } from './run-command.ts';
import { type HostOutcome, type Result, caseResult } from './settle.ts';
import type { SuiteCase, Suite } from './suite.ts';

type Heard = (result: Result) => void;

/** `heard` is told each result as it comes. */
export async function runSuite(suite: Suite, heard: Heard = () => {}): Promise<Result[]> {
  const { subject, file } = suite;
  if (subject.kind === 'command')
    return each(suite, heard, (one) => runCommandCase(one, subject, dirname(file)));
  if (subject.kind === 'module') {
    const loaded = await loadModule(resolve(dirname(file), subject.file));
    if (!loaded.ok) return broken(suite, heard, show(loaded.problem));
    const { definitions, problems } = definitionsIn(loaded.exports, subject.file);
    const faults = problems.filter(({ severity }) => severity === 'error');
    if (faults.length > 0) return broken(suite, heard, faults.map(show).join('; '));
    return asked(
      suite,
      heard,
      definitions.map(({ definition }) => definition),
    );
  }
  return asked(suite, heard, subject.kind === 'definitions' ? subject.definitions : undefined);
}

/** `definitions` alone, or, without any, what the settings of this project configure. */
async function asked(
  suite: Suite,
  heard: Heard,
  definitions: readonly Definition[] | undefined,
): Promise<Result[]> {
  if (suite.folder === undefined) return askedIn(process.cwd(), suite, heard, definitions);
  const folder = mkdtempSync(join(tmpdir(), 'anyhook-case-'));
  try {
    return await askedIn(folder, suite, heard, definitions);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function askedIn(
  cwd: string,
  suite: Suite,
  heard: Heard,
  definitions: readonly Definition[] | undefined,
): Promise<Result[]> {
  const own =
    definitions === undefined
      ? {}
      : ({ settings: false, trust: { selfProtection: false }, hooks: definitions } as const);
  const hooks = await createHooks({
    host: { name: 'anyhook', can: EVERYTHING },
    journal: false,
    cwd,
    ...own,
  });
  try {
    return await each(suite, heard, async ({ event, payload }) => {
      const outcome = await hooks.fire({ name: event, payload: payload as never }); // a case says what it likes: it is a test
      return [{ host: '', outcome }];
    });
  } finally {
    await hooks.close();
  }
}

async function each(
  suite: Suite,
  heard: Heard,
  judge: (one: SuiteCase) => Promise<readonly HostOutcome[]>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const one of suite.cases) {
    const started = performance.now();
    const judged = await judge(one);
    const result = { ...caseResult(suite, one, judged), ms: Math.round(performance.now() - started) };
    results.push(result);
    heard(result);
  }
  return results;
}

function broken({ file, cases }: Suite, heard: Heard, why: string): Result[] {
  const results = cases.map(({ name, line }) => ({ file, name, line, ms: 0, verdicts: [], failures: [why] }));
  for (const result of results) heard(result);
  return results;
}
