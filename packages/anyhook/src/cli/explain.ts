/** `anyhook why '<command>'`: how each guard judges a shell command, and which part of it decides. */

import { causesOf } from '../console/causes.ts';
import { ERROR_CODES, type ErrorCode, isErrorCode } from '../console/error-codes.ts';
import { print, printJson, say, screenFor } from '../console/print.ts';
import { checkFolder, UsageError } from '../console/usage.ts';
import { findDialect } from '../dialects.ts';
import { opaquePolicy } from '../engine/fit.ts';
import type { Effect } from '../events/effects.ts';
import type { Event } from '../events/event.ts';
import { type Hook, isBuiltIn } from '../events/hook.ts';
import type { FirePlan } from '../library/explain.ts';
import type { Hooks } from '../library/hooks.ts';
import { brief, safe } from '../render/safe.ts';
import type { Screen } from '../render/screen.ts';
import { wrap } from '../render/wrap.ts';
import { commandsIn } from '../shell/index.ts';
import type { Define } from './commands.ts';
import { plainHook } from './list.ts';
import { planLines } from './plan-lines.ts';
import { survey } from './survey.ts';

interface ExplainOptions {
  readonly cwd?: string;
  readonly host?: string;
  readonly json?: boolean;
}

export const define: Define = (command, done) => {
  command
    .argument('<command or code>', 'A shell command in quotes, or a code from a message')
    .option('--host <agent>', 'Judge as in this agent')
    .option('--cwd <folder>', 'Project folder')
    .option('--json', 'Print JSON')
    .addHelpText(
      'after',
      '\nRuns neither the command nor a hook. To run the hooks: anyhook why <command> --run',
    )
    .action(async (line: string, options: ExplainOptions) => done(await explainCommand(line, options)));
};

/** Exit 1 if a built-in guard or a matcher that cannot decide refuses it. */
export async function explainCommand(line: string, options: ExplainOptions): Promise<number> {
  const code = line.replace(/^\[(.*)\]$/, '$1');
  if (isErrorCode(code)) return explainCode(code, options);
  if (line.trim() === '') throw new UsageError('explain: the command is empty');
  checkFolder('explain', options.cwd);
  const hooks = await survey(options.cwd, options.host === undefined ? {} : { agent: options.host });
  const planFor = (command: string) =>
    hooks.plan({ name: 'tool.before', payload: { tool: 'shell', input: { command } } });
  const found = commandsIn(line);
  const plan = planFor(line);
  const causes = causesOf(plan, found.commands.length < 2 ? [] : found.commands, planFor);
  const answers = await answersOf(plan);
  await hooks.close();
  if (options.json === true)
    printJson({
      command: line,
      runs: found.commands.map(({ text }) => text),
      unjudgeable: found.unjudgeable,
      asked: plan.asked.map(({ hook, ...rest }) => ({
        hook: plainHook(hook),
        ...rest,
        ...(causes.has(hook.id) && { because: causes.get(hook.id) }),
        ...(answers.has(hook.id) && { says: answers.get(hook.id) }),
      })),
      unmatched: plan.unmatched,
    });
  else print(lines(found, plan, hooks, { causes, answers }, screenFor(options.cwd)));
  return [...answers.values()].some((effect) => effect?.kind === 'deny') || plan.asked.some(isRefused)
    ? 1
    : 0;
}

function explainCode(code: ErrorCode, { json }: ExplainOptions): number {
  const { cause, example, fix } = ERROR_CODES[code];
  if (json === true) printJson({ code, cause, example, fix });
  else say([cause, `Example: ${example}`, `Fix: ${fix}`]);
  return 0;
}

interface Known {
  readonly causes: ReadonlyMap<string, string>;
  readonly answers: ReadonlyMap<string, Effect | undefined>;
}

function lines(
  { commands, unjudgeable }: ReturnType<typeof commandsIn>,
  plan: FirePlan,
  { hooks }: Hooks,
  { causes, answers }: Known,
  screen: Screen,
): string[] {
  const { paint, width } = screen;
  const listed = (title: string, texts: readonly string[]) =>
    texts.flatMap((text, at) =>
      wrap(`${paint('bold', (at === 0 ? title : '').padEnd(8))} ${safe(text)}`, width, '         '),
    );
  const runs = commands.map(({ text }) => text);
  return [
    ...listed('runs', [...new Set(runs)]),
    ...listed('unclear', unjudgeable),
    '',
    ...planLines(plan, hooks, screen, (hook) => {
      const cause = causes.get(hook.id);
      return [
        ...(cause === undefined ? [] : [`because of ${brief(cause, width - 16)}`]),
        ...(answers.has(hook.id) ? [spoken(answers.get(hook.id))] : []),
      ];
    }),
  ];
}

const spoken = (effect: Effect | undefined): string => {
  if (effect === undefined) return 'no objection';
  const reason = 'reason' in effect && typeof effect.reason === 'string' ? `: ${safe(effect.reason)}` : '';
  return `${effect.kind}${reason}`;
};

/** Built-in guards have no side effects, so they can be called here. */
async function answersOf({ asked, event }: FirePlan): Promise<Map<string, Effect | undefined>> {
  const answers = new Map<string, Effect | undefined>();
  for (const { hook, matches } of asked)
    if (matches && isBuiltIn(hook) && hook.run.kind === 'call') {
      const judge = hook.run.fn as (event: Event) => Effect | undefined | Promise<Effect | undefined>; // same shape as in `builtIn`
      answers.set(hook.id, await judge(event));
    }
  return answers;
}

function isRefused({ hook, opaque }: { readonly hook: Hook; readonly opaque?: string }): boolean {
  return opaque !== undefined && opaquePolicy(hook, findDialect(hook.dialect)!) === 'block'; // hooks are read by known dialects
}
