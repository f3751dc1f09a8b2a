/** Published command hooks of Claude Code: what they say by themselves, and through `anyhook fire`. */
import type { Answers } from './answers.ts';
import { folderIn } from './at-home.ts';
import { type Ground, onGround, type ProgramEnd } from './ground.ts';
import { CLAUDE, DANGER, settled } from './moments.mjs';
import type { WildPackage } from './packages.ts';
import { claudeSettings } from './claude-settings.ts';
import { settle } from './settle.ts';
import { fire } from './with-us.ts';

type Moment = Readonly<Record<string, unknown>> & { readonly hook_event_name: string };
const moments = ({ project }: Ground, { danger = DANGER }: WildPackage): readonly Moment[] =>
  CLAUDE(danger).map((moment) => ({ ...moment, cwd: project }));

/** Each hook started by itself, as Claude Code does, for what its matcher takes. */
export const hooksAlone = (wild: WildPackage): Promise<Answers> =>
  answersOf(wild, async (ground, moment) => {
    const { hooks } = claudeSettings(wild, folderIn(wild));
    const groups = (hooks[moment.hook_event_name] ?? []).filter(({ matcher = '' }) => takes(matcher, moment));
    const [first] = groups.flatMap((group) => group.hooks);
    if (first === undefined) return undefined;
    return await ground.run('sh', ['-c', first.command], {
      input: JSON.stringify(moment),
      env: { CLAUDE_PROJECT_DIR: ground.project },
    });
  });

/** The same through `anyhook fire`, from the settings of Claude Code. */
export const hooksFired = (wild: WildPackage): Promise<Answers> =>
  answersOf(wild, async (ground, moment) => {
    settle(wild, ground);
    return await fire(ground, moment);
  });

async function answersOf(
  wild: WildPackage,
  ask: (ground: Ground, moment: Moment) => Promise<ProgramEnd | undefined>,
): Promise<Answers> {
  const started = performance.now();
  const { hooks } = claudeSettings(wild, folderIn(wild));
  const answers = await onGround(async (ground) => {
    const all: Answers['answers'][number][] = [];
    for (const moment of moments(ground, wild)) {
      if (hooks[moment.hook_event_name] === undefined) continue;
      const end = await ask(ground, moment);
      all.push(settled({ name: moment.hook_event_name, ...readingOf(end ?? SILENT, moment) }));
    }
    return all;
  });
  return { ms: performance.now() - started, registered: { events: Object.keys(hooks).toSorted() }, answers };
}

/** Claude Code's rule: words and bars are names, anything else is a pattern. */
function takes(matcher: string, moment: Moment): boolean {
  if (matcher === '' || matcher === '*') return true;
  const subject = String(moment['tool_name'] ?? moment['source'] ?? moment['trigger'] ?? '');
  return /^[\w|]+$/.test(matcher) ? matcher.split('|').includes(subject) : new RegExp(matcher).test(subject);
}

const SILENT: ProgramEnd = { code: 0, stdout: '', stderr: '' };
/** Events at which Claude Code tells the model what a hook prints. */
const TOLD: ReadonlySet<string> = new Set(['SessionStart', 'UserPromptSubmit']);

/** What Claude Code would do with it. */
function readingOf({ code, stdout, stderr }: ProgramEnd, { hook_event_name: event }: Moment): object {
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
