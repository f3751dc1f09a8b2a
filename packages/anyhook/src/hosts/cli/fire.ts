/** `anyhook fire --as <dialect> [event]`: that dialect's payload on stdin, all hooks applied, its answer out. */
import { fstatSync, readFileSync } from 'node:fs';
import { DIALECTS } from '../../assemble.ts';
import type { Outcome } from '../../canon/outcome.ts';
import { sheetOf } from '../../agents/capabilities.ts';
import { strictly } from '../../assembly/strictly.ts';
import { createHooks } from '../library/create-hooks.ts';
import { groundOf } from '../../assembly/folders.ts';
import { askedIn } from './fire-asked.ts';
import { eventFrom } from './fire-event.ts';
import { checkFolder } from './folder.ts';
import { keepStdout } from './keep-stdout.ts';
import { namedReasons } from './named-reasons.ts';
import { nativeTo } from './native-to.ts';
import { projectOf, type Question } from './quick/question.ts';
import { remember } from './quick/remember.ts';
import { spoken } from './speak.ts';
import { UsageError } from './usage-error.ts';

/** What is left of the agent's time when hooks are done: to answer, and to end. The clock runs since our start. */
const MARGIN_MS = 50;

/** The answer is the dialect's own: what it prints and its exit code. With `--json`, the whole outcome and exit 0 or 1. */
export async function fire(
  argv: readonly string[],
  text: string = readStdin(),
  question?: Question,
): Promise<number> {
  const asked = askedIn(argv);
  const { dialect } = asked;
  // `PWD` is what a shell once said; who started us elsewhere need not have changed it.
  const event = eventFrom(dialect, asked.event, text, { ...process.env, PWD: process.cwd() });
  checkFolder('fire', asked.project, '--project');
  const project = projectOf(asked.project, dialect.name, process.env, event.scene.cwd);
  const say = keepStdout();
  const left = asked.host === undefined ? [] : nativeTo(asked.host.name);
  const hooks = await createHooks({
    host: {
      ...(asked.host ?? { name: dialect.name }),
      can: sheetOf(asked.host?.name ?? '')?.can ?? dialect.can,
    },
    cwd: project,
    mode: 'one-shot',
    without: left,
    ...(asked.hashes.length > 0 && { trust: { hashes: asked.hashes } }),
    ...(asked.deadlineMs !== undefined && { until: asked.deadlineMs - MARGIN_MS }),
    services: { log: (level, message) => void process.stderr.write(`anyhook: ${level}: ${message}\n`) },
  });
  const { name, payload, ids, scene, raw } = event;
  const fired = await hooks.fire({
    name,
    payload,
    ids: ids.session === '' ? {} : ids,
    scene: { ...scene, cwd: scene.cwd || project },
    raw,
  });
  await hooks.close();
  const named = asked.host === undefined ? fired : namedReasons(fired, hooks.hooks);
  const outcome = asked.strict ? strictly(named, event) : named;
  if (asked.json) return printWhole(outcome, say);
  const said = spoken(dialect.output.write(outcome, event));
  if (question?.project === project && !hooks.wants[name]) {
    const dialects = DIALECTS.filter((one) => !left.includes(one.name));
    remember({ question, name, dialect, dialects, ground: groundOf({ cwd: project }), hooks, spoken: said });
  }
  if (said.stdout !== '') say(said.stdout);
  if (said.stderr !== '') process.stderr.write(said.stderr);
  return said.code;
}

function printWhole(outcome: Outcome, say: (text: string) => void): number {
  say(`${JSON.stringify(outcome, null, 2)}\n`);
  return outcome.verdict === 'deny' ? 1 : 0;
}

export function readStdin(): string {
  try {
    if (fstatSync(0).isCharacterDevice()) return ''; // a terminal would keep us waiting
    return readFileSync(0, 'utf8');
  } catch (error) {
    if (['EAGAIN', 'EOF', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return '';
    throw new UsageError(`fire: standard input cannot be read: ${(error as Error).message}`);
  }
}
