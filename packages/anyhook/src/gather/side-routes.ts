/**
 * Blocks tools that start actions without hooks: shells that receive keys, subagents, and scripts that call tools. The
 * guard is active while another guard would have covered those actions.
 */

import type { Agent } from '../agents/shared/agent.ts';
import type { ROUTES_WITH_OPENER } from '../agents/shared/side-routes.ts';
import { deny, type Fields } from '../events/effects.ts';
import type { Hook } from '../events/hook.ts';
import type { ToolName } from '../events/tools.ts';
import { analyseShell } from '../shell/analyse.ts';
import { type Input, NO_INPUT } from '../shell/outputs.ts';
import { builtIn } from './built-in.ts';

export const SIDE_ROUTES_GUARD = 'anyhook:side-routes';

/** Returns the guard for tool hooks. Undefined if the agent has no such route or nothing is guarded. */
export function sideRouteGuard(agent: Agent | undefined, hooks: readonly Hook[]): Hook | undefined {
  const rules =
    agent === undefined
      ? []
      : OPENING_RULES.filter((rule) => isOpenIn(agent, rule) && hooks.some(rule.guards));
  if (agent === undefined || rules.length === 0) return undefined;
  return builtIn(
    SIDE_ROUTES_GUARD,
    'blocks tools whose actions the hooks of the agent cannot see',
    ({ payload }) => {
      const { tool, input } = payload as { tool?: unknown; input?: unknown };
      for (const rule of rules) {
        const why = toolsOf(agent, rule).some((one) => one === tool)
          ? rule.why(agent.shown, (input ?? {}) as Fields)
          : undefined;
        if (why !== undefined) return deny(why);
      }
      return undefined;
    },
    { match: { kind: 'names', names: rules.flatMap((rule) => toolsOf(agent, rule)) } },
  );
}

interface OpeningRule {
  readonly route: (typeof ROUTES_WITH_OPENER)[number];
  /** The tool that opens the route; undefined: named in the agent's record. */
  readonly tool?: ToolName;
  /** Whether a hook would have covered the actions behind the route. */
  readonly guards: (hook: Hook) => boolean;
  /** Returns the reason for a refusal; undefined: this call does not open the route. */
  readonly why: (agent: string, input: Fields) => string | undefined;
}
const toolsOf = ({ sideRoutes }: Agent, { tool, route }: OpeningRule): readonly string[] =>
  tool === undefined ? (sideRoutes[route].by ?? []) : [tool];
const isOpenIn = ({ sideRoutes }: Agent, { route }: OpeningRule): boolean =>
  sideRoutes[route].sight === 'unasked';

const isGuard = ({ roles, run }: Hook): boolean => roles.includes('guard') && run.kind !== 'missing';
const guardsShell = (hook: Hook): boolean =>
  isGuard(hook) &&
  (hook.match.kind === 'any' ||
    (hook.match.kind === 'names'
      ? hook.match.names.some((name) => SHELLS.test(name))
      : hook.match.test('shell')));

const OPENING_RULES: readonly OpeningRule[] = [
  {
    route: 'stdin',
    tool: 'shell',
    guards: guardsShell,
    why(agent, { command }) {
      const program = typeof command === 'string' ? interactiveIn(command) : undefined;
      if (program === undefined) return undefined;
      const { name, instead } = program;
      return `\`${name}\` would wait for input, and ${agent} runs no hooks for what it types there. Run the command itself: ${name} ${instead}, or a script`;
    },
  },
  {
    route: 'subagents',
    tool: 'task',
    guards: isGuard,
    why: (agent) =>
      `${agent} runs no hooks for what a subagent does, and guards are set here. Do the task without a subagent`,
  },
  {
    route: 'code',
    guards: isGuard,
    why: (agent) =>
      `${agent} runs no hooks for the tools that a script calls, and guards are set here. Call these tools one by one`,
  },
];
/** Names of the shell tool in the dialects. */
const SHELLS = /^(?:shell|bash|run_shell_command|developer__shell|exec_command)$/i;

interface KeyReader {
  /** An argument that gives the program a task. Without one it waits for input. */
  readonly givesTask: RegExp;
  /** Maximum number of names, such as a database, before the task argument. */
  readonly names?: number;
  /** An option that makes the program wait for input after the task. */
  readonly stays?: RegExp;
  /** How to pass a task instead. */
  readonly instead: string;
}
const ASKED_ABOUT = '|^--(?:version|help)$';
const READS_KEYS: Readonly<Record<string, KeyReader>> = {
  ...each('bash sh dash zsh ksh fish rbash busybox', {
    givesTask: /^-\w*c/,
    names: 0,
    instead: "-c '…'",
  }),
  ...each('python python3 python2 pypy pypy3 ipython bpython', {
    givesTask: /^-[cmVh]/,
    names: 0,
    stays: /^-\w*i\w*$/,
    instead: "-c '…'",
  }),
  ...each('node nodejs deno bun ts-node tsx', {
    givesTask: /^-[epvh]|^--(?:eval|print|test)/,
    names: 0,
    stays: /^-i$|^--(?:interactive|repl)$/,
    instead: "-e '…'",
  }),
  ...each('irb ruby perl lua julia R ghci erl iex scala jshell', {
    givesTask: /^-[ecvVh]/,
    names: 0,
    instead: "-e '…'",
  }),
  ...each('php', { givesTask: /^-[rfvi]$/, names: 0, instead: "-r '…'" }),
  ...each('psql', { givesTask: /^-[cfl]|^--(?:command|file|list)/, instead: "-c '…'" }),
  ...each('mysql mariadb', { givesTask: /^-e|^--execute/, instead: "-e '…'" }),
  ...each('mongosh', { givesTask: /^--(?:eval|file)/, instead: "--eval '…'" }),
  ...each('sqlite3', { givesTask: /^-(?:cmd|version|help)/, names: 1, instead: "<file> '…'" }),
  ...each('redis-cli', { givesTask: /^--eval/, names: 0, instead: '<command>' }),
  ...each('gdb lldb ftp sftp telnet nc ncat', { givesTask: /^--?batch/, instead: '--batch' }),
};
function each(names: string, reader: KeyReader): Record<string, KeyReader> {
  const givesTask = new RegExp(`${reader.givesTask.source}${ASKED_ABOUT}`);
  return Object.fromEntries(names.split(' ').map((name) => [name, { ...reader, givesTask }]));
}
export interface WaitingProgram {
  readonly name: string;
  readonly instead: string;
}
/** Returns the program that would wait for input. A pipe or file on stdin prevents that. */
export function interactiveIn(text: string): WaitingProgram | undefined {
  for (const { program, words, text: source, input } of analyseShell(text).acts) {
    const name = program.replace(/^-/, '');
    const reader = Object.hasOwn(READS_KEYS, name) ? READS_KEYS[name] : undefined;
    if (reader === undefined) continue;
    const { givesTask, names = Infinity, stays, instead } = reader;
    const args = words.slice(1).map(({ value }) => value);
    const hasTask =
      args.some((arg) => givesTask.test(arg)) || args.filter((arg) => !arg.startsWith('-')).length > names;
    if ((args.some((arg) => stays?.test(arg) === true) || !hasTask) && !isFed(source, input))
      return { name, instead };
  }
  return undefined;
}

function isFed(command: string, input: Input | undefined): boolean {
  if (/<\s*\/dev\/(?:tty|pts|stdin|fd)/.test(command)) return false;
  return command.includes('<') || (input !== undefined && input !== NO_INPUT);
}
