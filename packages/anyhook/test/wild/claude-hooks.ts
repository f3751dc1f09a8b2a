/** Published command hooks of Claude Code: how their own pages tell people to set them, and what they say by themselves. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Answers } from './answers.ts';
import { folderIn } from './at-home.ts';
import { type Ground, onGround, type ProgramEnd } from './ground.ts';
import { CLAUDE, DANGER, settled } from './moments.mjs';
import type { WildPackage } from './packages.ts';
import { fire, settle } from './with-us.ts';

interface Group {
  readonly matcher?: string;
  readonly hooks: readonly {
    readonly type: 'command';
    readonly command: string;
    readonly timeout?: number;
  }[];
}
interface ClaudeSettings {
  readonly hooks: Readonly<Record<string, readonly Group[]>>;
}

const command = (folder: string, file: string, ...args: string[]): Group['hooks'] => [
  { type: 'command', command: [`node "${join(folder, file)}"`, ...args].join(' ') },
];
/** From the README of each; `context-mode` is a plugin and brings its file. */
const SETTINGS: Readonly<Record<string, (folder: string) => ClaudeSettings['hooks']>> = {
  'cc-safety-net': (folder) => ({
    PreToolUse: [
      {
        matcher: 'Bash|Read|Edit|Write|Grep',
        hooks: command(folder, 'dist/bin/cc-safety-net.js', 'hook', '--claude-code'),
      },
    ],
  }),
  'block-no-verify': (folder) => ({
    PreToolUse: [{ matcher: 'Bash', hooks: command(folder, 'dist/cli.js') }],
  }),
  'tdd-guard': (folder) => ({
    PreToolUse: [
      { matcher: 'Write|Edit|MultiEdit|TodoWrite', hooks: command(folder, 'dist/cli/tdd-guard.js') },
    ],
    UserPromptSubmit: [{ hooks: command(folder, 'dist/cli/tdd-guard.js') }],
    SessionStart: [{ matcher: 'startup|resume|clear', hooks: command(folder, 'dist/cli/tdd-guard.js') }],
  }),
  'context-mode': (folder) => {
    const text = readFileSync(join(folder, 'hooks/hooks.json'), 'utf8');
    return (JSON.parse(text.replaceAll('${CLAUDE_PLUGIN_ROOT}', folder)) as ClaudeSettings).hooks;
  },
};
export const claudeSettings = ({ name }: WildPackage, folder: string): ClaudeSettings => ({
  hooks: SETTINGS[name]!(folder),
});

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
      all.push(settled({ name: moment.hook_event_name, ...(end && readingOf(end)) }));
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

/** What Claude Code would do with it. */
function readingOf({ code, stdout, stderr }: ProgramEnd): object {
  if (code === 2) return { verdict: 'deny', reason: stderr.trim() };
  if (code !== 0) return { verdict: 'none' };
  const said = jsonIn(stdout);
  const { permissionDecision, permissionDecisionReason, ...specific } = Object(said['hookSpecificOutput']);
  const verdict =
    permissionDecision ?? { block: 'deny', approve: 'allow' }[String(said['decision'])] ?? 'none';
  return {
    verdict,
    reason: permissionDecisionReason ?? said['reason'],
    context: specific.additionalContext,
    input: specific.updatedInput,
    ends: said['continue'] === false,
  };
}

function jsonIn(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return {};
  }
}
