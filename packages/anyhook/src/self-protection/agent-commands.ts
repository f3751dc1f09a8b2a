/** Agents' own commands that remove or bypass their hooks: `gemini hooks disable-all`, `claude mcp remove db`, `claude --bare`. */

import { AGENTS } from '../agents/index.ts';
import type { Agent } from '../agents/shared/agent.ts';
import { MOVERS } from '../gather/moved.ts';
import type { ShellAct } from '../shell/act.ts';
import { doubt, type Objection, refusal } from './objection.ts';
import type { GuardedCall } from './path-resolver.ts';

const BY_NAME = new Map<string, Agent>(
  Object.values(AGENTS).flatMap((agent) =>
    [agent.program.name, agent.program.npm ?? agent.program.name].map((name) => [name, agent] as const),
  ),
);
/** Subcommands for hooks, or for packages that contain code. */
const SUBJECTS = /^(?:hooks?|plugins?|extensions?|packages?|config|settings|features?)$/;
const REMOVES = /^(?:uninstall|remove|disable)$/;
const LOOKS = /^(?:list|ls|show|get|info|status|search|validate|view|details|path|help)$/;
const STARTERS = /^(?:npx|bunx|pnpm|yarn|npm|bun)$/;

/** The agent's command that would remove hooks; undefined if it only reads, or changes something else. */
export function unhookingCommand({ program, args }: ShellAct, context: GuardedCall): string | undefined {
  const all = [program, ...args];
  const operands = all.filter((word) => !word.startsWith('-'));
  // A word after an option may be its value or the next operand, so both readings are checked.
  const withoutValues = all.filter(
    (word, at) => !word.startsWith('-') && !/^--?[^=]+$/.test(all[at - 1] ?? ''),
  );
  return changeOfHooks(program, operands, context) ?? changeOfHooks(program, withoutValues, context);
}

/** `claude --bare`, `HOME=/tmp/x codex`: an agent that would start without its hooks. */
export function unhookedStart(
  { program, args }: ShellAct,
  variables: readonly string[],
): Objection | undefined {
  const agent = startedAgent(
    program,
    [program, ...args].filter((word) => !word.startsWith('-')),
  )?.agent;
  if (agent === undefined) return undefined;
  const joined = args.map((arg, at) => (arg.startsWith('-') || at === 0 ? arg : `${args[at - 1]}=${arg}`));
  const flag = agent.unhookedBy.find((word) =>
    word.startsWith('-')
      ? args.includes(word) || joined.includes(word)
      : [...args, ...variables].some(
          (text) => text === word || (word.startsWith('"') && text.includes(word)),
        ),
  );
  if (flag !== undefined) return refusal(`${agent.program.name} with ${flag} starts without its hooks`);
  const moved = variables.find((variable) => MOVERS.includes(variable));
  return moved === undefined
    ? undefined
    : doubt(`${agent.program.name} is started with another ${moved}, and may not find its hooks there`);
}

/** The agent that is started, and the word that names it. */
function startedAgent(
  program: string,
  words: readonly string[],
): { readonly agent: Agent; readonly at: number } | undefined {
  const plain = words.map((word) => word.replace(/(?<=.)@[^/]*$/, ''));
  const at = plain.findIndex((word) => BY_NAME.has(word));
  return at === -1 || (at > 0 && !STARTERS.test(program))
    ? undefined
    : { agent: BY_NAME.get(plain[at]!)!, at };
}

function changeOfHooks(program: string, words: readonly string[], context: GuardedCall): string | undefined {
  const started = startedAgent(program, words);
  if (started === undefined) return undefined;
  const { agent, at } = started;
  const [subject = '', verb = ''] = words.slice(at + 1);
  const command = `${agent.program.name} ${subject} ${verb}`.trim();
  if (REMOVES.test(subject)) return command;
  if (verb === '' || LOOKS.test(verb)) return undefined;
  if (SUBJECTS.test(subject)) return command;
  return subject === 'mcp' && hasGuardedServers(agent, context) ? command : undefined;
}

/** The file that lists its MCP servers is guarded, because it contains the bridge or a server behind our proxy. */
const hasGuardedServers = ({ mcp }: Agent, { guarded, cwd, home, env }: GuardedCall): boolean =>
  (['user', 'project'] as const)
    .flatMap((scope) => mcp?.files({ scope, cwd, home, env }) ?? [])
    .some((file) => guarded.has(file));
