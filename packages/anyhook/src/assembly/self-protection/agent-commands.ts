/** Commands of the agents themselves that write what leads them to us: `gemini hooks disable-all`, `claude mcp remove db`. */
import { AGENTS } from '../../agents/index.ts';
import type { Agent } from '../../agents/shared/agent.ts';
import type { CommandWords } from './commands.ts';
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

function saidBy(name: string, words: readonly string[], terms: Terms): string | undefined {
  const at = words.findIndex((word) => BY_NAME.has(word.replace(/(?<=.)@[^/]*$/, '')));
  if (at === -1 || (at > 0 && !STARTERS.test(name))) return undefined;
  const agent = BY_NAME.get(words[at]!.replace(/(?<=.)@[^/]*$/, ''))!;
  const [subject = '', verb = ''] = words.slice(at + 1);
  const said = `${agent.program.name} ${subject} ${verb}`.trim();
  if (REMOVES.test(subject)) return said;
  if (verb === '' || LOOKS.test(verb)) return undefined;
  if (SUBJECTS.test(subject)) return said;
  return subject === 'mcp' && namesGuarded(agent, terms) ? said : undefined;
}

/** Its servers are named in a file that is guarded: by the bridge in it, or by our proxy around one of them. */
const namesGuarded = ({ mcp }: Agent, { paths, cwd, home }: Terms): boolean =>
  (['user', 'project'] as const)
    .flatMap((scope) => mcp?.files({ scope, cwd, home, env: process.env }) ?? [])
    .some((file) => paths.includes(file));
