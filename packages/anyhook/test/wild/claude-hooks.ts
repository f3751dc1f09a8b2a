/** Published command hooks of Claude Code: what they say by themselves, and through `anyhook fire`. */

import type { Answers } from './answers.ts';
import { folderIn } from './at-home.ts';
import { settleHooks } from './claude-settings.ts';
import { type Ground, onGround, type ProgramEnd } from './ground.ts';
import { CLAUDE, DANGER, settled } from './moments.mjs';
import type { WildPackage } from './packages.ts';
import { fire } from './with-us.ts';

type Moment = Readonly<Record<string, unknown>> & { readonly hook_event_name: string };
const moments = ({ project }: Ground, { danger = DANGER }: WildPackage): readonly Moment[] =>
  CLAUDE(danger).map((moment) => ({ ...moment, cwd: project }));

/** Each hook started by itself, as Claude Code does, for what its matcher takes. */
export const hooksAlone = (wild: WildPackage): Promise<Answers> =>
  answersOf(wild, (ground) => {
    const { hooks, env: own } = settleHooks(wild, folderIn(wild), ground);
    return {
      hooks,
      ask: async (moment) => {
        const env = { CLAUDE_PROJECT_DIR: ground.project, ...own };
        const groups = (hooks[moment.hook_event_name] ?? []).filter(({ matcher = '' }) =>
          takes(matcher, moment),
        );
        const asked = new Map(groups.flatMap((group) => group.hooks).map((hook) => [hook.command, hook]));
        const ends = await Promise.all(
          [...asked.values()].map(async (hook) => {
            const input = JSON.stringify(moment);
            return { hook, end: await ground.run('sh', ['-c', hook.command], { input, env }) };
          }),
        );
        return ends.flatMap(({ hook, end }) => (hook.async === true ? [] : [end]));
      },
    };
  });

/** The same through `anyhook fire`, from where Claude Code has them. */
export const hooksFired = (wild: WildPackage): Promise<Answers> =>
  answersOf(wild, (ground) => {
    const { hooks } = settleHooks(wild, folderIn(wild), ground);
    return { hooks, ask: async (moment) => [await fire(ground, moment)] };
  });

interface Asker {
  readonly hooks: object;
  /** How each that was started ended. */
  ask(moment: Moment): Promise<readonly ProgramEnd[]>;
}

async function answersOf(wild: WildPackage, on: (ground: Ground) => Asker): Promise<Answers> {
  const started = performance.now();
  return await onGround(async (ground) => {
    const { hooks, ask } = on(ground);
    const events = Object.keys(hooks).toSorted();
    const answers: Answers['answers'][number][] = [];
    for (const moment of moments(ground, wild)) {
      const { hook_event_name: name } = moment;
      if (!events.includes(name)) continue;
      const readings = (await ask(moment)).map((end) => readingOf(end, moment));
      answers.push(settled({ name, ...together(readings) }));
    }
    return { ms: performance.now() - started, registered: { events }, answers };
  });
}

/** Claude Code's rule: words and bars are names, anything else is a pattern. */
function takes(matcher: string, moment: Moment): boolean {
  if (matcher === '' || matcher === '*') return true;
  const subject = String(moment['tool_name'] ?? moment['source'] ?? moment['trigger'] ?? '');
  return /^[\w|]+$/.test(matcher) ? matcher.split('|').includes(subject) : new RegExp(matcher).test(subject);
}

/** Events at which Claude Code tells the model what a hook prints. */
const TOLD: ReadonlySet<string> = new Set(['SessionStart', 'UserPromptSubmit']);

interface Reading {
  readonly verdict: (typeof STRICTEST_FIRST)[number];
  readonly reason?: unknown;
  readonly context?: unknown;
  readonly input?: unknown;
  readonly ends?: boolean;
}
const STRICTEST_FIRST = ['deny', 'ask', 'allow', 'none'] as const;

/** The strictest of them counts, with its reasons; what each tells the model is told. */
function together(readings: readonly Reading[]): Reading {
  const verdict =
    STRICTEST_FIRST.find((one) => readings.some((reading) => reading.verdict === one)) ?? 'none';
  const texts = (all: readonly unknown[]) => all.filter((one) => one !== undefined).join('\n') || undefined;
  const decisive = readings.filter((reading) => reading.verdict === verdict);
  return {
    verdict,
    reason: texts(decisive.map(({ reason }) => reason)),
    context: texts(readings.map(({ context }) => context)),
    input: readings.find(({ input }) => input !== undefined)?.input,
    ...(readings.some(({ ends }) => ends === true) && { ends: true }),
  };
}

/** What Claude Code would do with it. */
function readingOf({ code, stdout, stderr }: ProgramEnd, { hook_event_name: event }: Moment): Reading {
  if (code === 2) return { verdict: 'deny', reason: stderr.trim() };
  if (code !== 0) return { verdict: 'none' };
  const said = jsonIn(stdout);
  const printed = said === undefined && TOLD.has(event) && stdout.trim() !== '' ? stdout.trim() : undefined;
  const { permissionDecision, permissionDecisionReason, ...specific } = Object(said?.['hookSpecificOutput']);
  const verdict =
    permissionDecision ?? { block: 'deny', approve: 'allow' }[String(said?.['decision'])] ?? 'none';
  return {
    verdict,
    reason: permissionDecisionReason ?? said?.['reason'],
    context: specific.additionalContext ?? printed,
    input: specific.updatedInput,
    ...(said?.['continue'] === false && { ends: true }),
  };
}

function jsonIn(text: string): Record<string, unknown> | undefined {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
