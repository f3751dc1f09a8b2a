/**
 * Where an agent sends keys to a running shell without asking its hooks, a shell guard ends at that shell's door. While one
 * is set, such a door is not opened: a bare interactive shell or interpreter is refused.
 */
import { commandsIn } from '../canon/bash/commands-in.ts';
import { plainName } from '../canon/bash/unwrap.ts';
import { deny, type Fields } from '../canon/effects.ts';
import type { Hook } from '../canon/hook.ts';
import type { Agent } from '../agents/shared/agent.ts';
import { builtIn } from './built-in.ts';

export const SIDE_ROUTES_GUARD = 'anyhook:side-routes';

/** Undefined where there is no such route, or nothing to guard. */
export function sideRouteGuard(agent: Agent | undefined, hooks: readonly Hook[]): Hook | undefined {
  if (agent?.sideRoutes.stdin !== 'unasked' || !hooks.some(guardsShell)) return undefined;
  return builtIn(
    SIDE_ROUTES_GUARD,
    'keeps the agent from opening a shell that its hooks do not see into',
    ({ payload }) => {
      const { input } = payload as { input?: unknown };
      const { command } = (input ?? {}) as Fields;
      const program = typeof command === 'string' ? interactiveIn(command) : undefined;
      if (program === undefined) return undefined;
      return deny(
        `\`${program}\` would wait for keys, and ${agent.shown} asks no hook about what it sends there. Run the command itself: ${program} -c '…', or a script`,
      );
    },
    { match: { kind: 'names', names: ['shell'] } },
  );
}

const guardsShell = ({ roles, match, run }: Hook): boolean =>
  roles.includes('guard') &&
  run.kind !== 'missing' &&
  (match.kind === 'any' ||
    (match.kind === 'names' ? match.names.some((name) => SHELLS.test(name)) : match.test('shell')));
/** The tool by its names in the dialects. */
const SHELLS = /^(?:shell|bash|run_shell_command|developer__shell|exec_command)$/i;

/** Programs that read commands from their terminal when they are given nothing else to do, and what gives them more. */
const READS_KEYS: Readonly<Record<string, RegExp>> = {
  ...each('bash sh dash zsh ksh fish rbash busybox', /^-\w*c|^[^-]|^--(?:version|help)$/),
  ...each('python python3 python2 pypy pypy3 ipython bpython', /^-[cmVh]|^[^-]|^--(?:version|help)$/),
  ...each('node nodejs deno bun ts-node tsx', /^-[epvh]|^--(?:eval|print|version|help|test)|^[^-]/),
  ...each('irb ruby perl php lua julia R ghci erl iex scala jshell', /^-[ecvVh]|^[^-]|^--(?:version|help)$/),
  ...each(
    'psql mysql mariadb sqlite3 redis-cli mongosh',
    /^-[ceEf]|^--(?:command|execute|eval|file|version|help)/,
  ),
  ...each('gdb lldb ftp sftp telnet nc ncat', /^-batch|^--(?:batch|version|help)/),
};
function each(names: string, more: RegExp): Record<string, RegExp> {
  return Object.fromEntries(names.split(' ').map((name) => [name, more]));
}
const STAYS = /^-(?:\w*i\w*)$|^--(?:interactive|repl)$/;

/** The program that would sit there and read keys; a pipe or a file on its stdin leaves no room for them. */
export function interactiveIn(text: string): string | undefined {
  for (const { words, text: said } of commandsIn(text).commands) {
    const name = plainName(words[0] ?? '').replace(/^-/, '');
    const more = Object.hasOwn(READS_KEYS, name) ? READS_KEYS[name] : undefined;
    if (more === undefined) continue;
    const args = words.slice(1);
    const isBare = args.some((arg) => STAYS.test(arg)) || !args.some((arg) => more.test(arg));
    if (isBare && !isFed(said, text)) return name;
  }
  return undefined;
}

function isFed(said: string, text: string): boolean {
  if (/<(?!\s*\/dev\/(?:tty|pts|stdin|fd))/.test(said)) return true;
  const at = text.indexOf(said);
  return at > 0 && /\|&?\s*(?:[\w./-]+\s+)*$/.test(text.slice(0, at));
}
