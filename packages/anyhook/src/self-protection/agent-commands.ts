/** Commands of the agents themselves that write what leads them to us: `gemini hooks disable-all`, `claude mcp remove db`. */
import { AGENTS } from '../agents/index.ts';
import type { Agent } from '../agents/shared/agent.ts';
import { MOVERS } from '../gather/moved.ts';
import type { CommandWords } from './commands.ts';
import { doubt, type Objection, refusal } from './objection.ts';
import type { Terms } from './sight.ts';

const BY_NAME = new Map<string, Agent>(
  Object.values(AGENTS).flatMap((agent) =>
    [agent.program.name, agent.program.npm ?? agent.program.name].map((name) => [name, agent] as const),
  ),
);
/** What they keep hooks in, or take code from. */
const SUBJECTS = /^(?:hooks?|plugins?|extensions?|packages?|config|settings|features?)$/;
const REMOVES = /^(?:uninstall|remove|disable)$/;
const LOOKS = /^(?:list|ls|show|get|info|status|search|validate|view|details|path|help)$/;
const STARTERS = /^(?:npx|bunx|pnpm|yarn|npm|bun)$/;

/** The command, as far as it says what it would do; undefined when it only looks, or is about something else. */
export function unhooks({ name, args }: CommandWords, terms: Terms): string | undefined {
  const all = [name, ...args];
  const bare = (word: string) => !word.startsWith('-');
  // A word behind an option may be its value, or the next word of the command: each reading is looked at.
  const mayBeValue = (at: number) => /^--?[^=]+$/.test(all[at - 1] ?? '');
  return (
    saidBy(
      name,
      all.filter((word) => bare(word)),
      terms,
    ) ??
    saidBy(
      name,
      all.filter((word, at) => bare(word) && !mayBeValue(at)),
      terms,
    )
  );
}

/** `claude --bare`, `HOME=/tmp/x codex`: an agent that would start without the hooks that lead to us. */
export function startsUnhooked(
  { name, args }: CommandWords,
  variables: readonly string[],
): Objection | undefined {
  const agent = startedIn(
    name,
    [name, ...args].filter((word) => !word.startsWith('-')),
  )?.agent;
  if (agent === undefined) return undefined;
  const said = args.map((arg, at) => (arg.startsWith('-') || at === 0 ? arg : `${args[at - 1]}=${arg}`));
  const flag = agent.unhookedBy.find((word) =>
    word.startsWith('-')
      ? args.includes(word) || said.includes(word)
      : [...args, ...variables].some((one) => one === word || (word.startsWith('"') && one.includes(word))),
  );
  if (flag !== undefined) return refusal(`${agent.program.name} with ${flag} starts without its hooks`);
  const moved = variables.find((variable) => MOVERS.includes(variable));
  return moved === undefined
    ? undefined
    : doubt(`${agent.program.name} is started with another ${moved}, and may not find its hooks there`);
}

/** Which agent is started, and by which of the words. */
function startedIn(
  name: string,
  words: readonly string[],
): { readonly agent: Agent; readonly at: number } | undefined {
  const plain = words.map((word) => word.replace(/(?<=.)@[^/]*$/, ''));
  const at = plain.findIndex((word) => BY_NAME.has(word));
  return at === -1 || (at > 0 && !STARTERS.test(name)) ? undefined : { agent: BY_NAME.get(plain[at]!)!, at };
}

function saidBy(name: string, words: readonly string[], terms: Terms): string | undefined {
  const started = startedIn(name, words);
  if (started === undefined) return undefined;
  const { agent, at } = started;
  const [subject = '', verb = ''] = words.slice(at + 1);
  const said = `${agent.program.name} ${subject} ${verb}`.trim();
  if (REMOVES.test(subject)) return said;
  if (verb === '' || LOOKS.test(verb)) return undefined;
  if (SUBJECTS.test(subject)) return said;
  return subject === 'mcp' && namesGuarded(agent, terms) ? said : undefined;
}

/** Its servers are named in a file that is guarded: by the bridge in it, or by our proxy around one of them. */
const namesGuarded = ({ mcp }: Agent, { guarded, cwd, home, env }: Terms): boolean =>
  (['user', 'project'] as const)
    .flatMap((scope) => mcp?.files({ scope, cwd, home, env }) ?? [])
    .some((file) => guarded.has(file));
