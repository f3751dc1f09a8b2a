/** Commands that an agent must not run on anyhook itself: decisions of the user, replacing the program, ending it. */

import { basename } from 'node:path';
import type { ShellAct } from '../shell/act.ts';
import type { ShellAssignment } from '../shell/read-script.ts';

const VERB =
  /^(?:trust (?:add|revoke|accept|home)|approvals(?! list\b)(?: \w+)?|undo|pause|resume|install|uninstall|add|remove|hooks|reload)\b/;
const PROGRAM = /^anyhook(?:-fleet)?(?:\.[cm]?js|@.*)?$/;
/** The package of `anyhook-fleet`, as in `npx @anyhook/fleet approvals`. */
const FLEET = /^@anyhook\/fleet(?:@.*)?$/;

/** `pause` of `anyhook pause`, `node …/anyhook.cjs pause`, `npx anyhook pause`: for the user only. */
export function userDecision({ program, args }: ShellAct): string | undefined {
  if (!PROGRAM.test(program) && !STARTERS.test(program)) return undefined;
  const words = [program, ...args].filter((word) => !word.startsWith('-'));
  const at = words.findIndex((word) => PROGRAM.test(basename(word)) || FLEET.test(word));
  if (at === -1 || (at > 0 && !STARTERS.test(program))) return undefined;
  // What an undo would do is no secret. Without these options it changes files.
  if (words[at + 1] === 'undo' && onlyShows(args)) return undefined;
  const verb = words.slice(at + 1).join(' ');
  if (verb.startsWith('suggest') && args.includes('--write')) return 'suggest --write';
  return VERB.exec(verb)?.[0];
}
/** After `--` or an option with a value, `--list` is only a word. */
function onlyShows(args: readonly string[]): boolean {
  const end = args.indexOf('--', args.indexOf('undo'));
  const options = end === -1 ? args : args.slice(0, end);
  return (
    !options.includes('--prune') &&
    options.some(
      (arg, at) =>
        /^--(?:list|dry-run)$/.test(arg) && !/^--(?:call|to|conflicts|cwd)$/.test(options[at - 1] ?? ''),
    )
  );
}
const STARTERS = /^(?:node|bun|deno|npx|bunx|pnpm|yarn|npm|tsx|corepack)$/;

/** `npm rm -g anyhook`, `npm i -g anyhook@0.0.1`: removes or replaces the program that all agents use. */
export function replacesAnyhook({ program, args }: ShellAct): boolean {
  if (!/^(?:npm|pnpm|yarn|bun|cnpm|volta)$/.test(program)) return false;
  const isGlobal =
    program === 'volta' || args.some((arg) => /^(?:-\w*g\w*|--global|(?:--location=)?global)$/.test(arg));
  return (
    isGlobal &&
    args.some((arg) => CHANGES.test(arg)) &&
    args.some((arg) => PROGRAM.test(basename(arg).replace(/^.*[:#]/, '')))
  );
}
const CHANGES =
  /^(?:r|rm|remove|un|unlink|uninstall|i|in|ins|inst|insta|instal|install|isnt\w*|add|up|update|upgrade|link|ln)$/;

/** `which anyhook`: prints the path of our program. */
export const printsAnyhookPath = ({ program, args }: ShellAct): boolean =>
  /^(?:which|whereis|type|command|where|hash)$/.test(program) && args.some((arg) => PROGRAM.test(arg));

/** `pkill -f anyhook`, `kill $(pgrep anyhook)` */
export function endsAnyhook(acts: readonly ShellAct[]): boolean {
  const namesAnyhook = ({ args }: ShellAct) => args.some((arg) => /anyhook/i.test(arg));
  const isSearched = acts.some((act) => FINDERS.test(act.program) && namesAnyhook(act));
  return acts.some((act) => ENDERS.test(act.program) && (isSearched || namesAnyhook(act)));
}
const ENDERS = /^(?:kill|pkill|killall5?|skill|xkill|taskkill|fuser|systemctl|gdb|lldb|prlimit|cpulimit)$/;
const FINDERS = /^(?:pgrep|pidof|ps|lsof|fuser|[ef]?grep|awk|ss)$/;

/** Sends keys to another program, which may be the user's own terminal. */
export const sendsKeys = ({ program }: ShellAct): boolean =>
  /^(?:xdotool|ydotool|dotool|wtype|kitty|kitten|wezterm|zellij|screen|tmux|osascript)$/.test(program);

const DECISION_IN_TEXT =
  /\banyhook(?:-fleet|\/fleet)?(?:\.[cm]?js|@\S+)?\s+(trust\s+(?:add|revoke|accept|home)|approvals(?!\s+list\b)(?:\s+\w+)?|undo|pause|resume|install|uninstall|add|remove|hooks|reload|suggest\b[^\n]*\s--write)\b/;

/** The same in a text that cannot be parsed. Quotes, brackets and options between the words are ignored. */
export function userDecisionInText(text: string, settings: readonly ShellAssignment[]): string | undefined {
  const values = new Map(
    settings.filter(({ value }) => value.fixed).map(({ name, value }) => [name, value.value]),
  );
  const expanded =
    values.size === 0
      ? text
      : text.replaceAll(/\$\{?(\w+)\}?/g, (whole, name: string) => values.get(name) ?? whole);
  if (!hasLettersOf(expanded, 'anyhook')) return undefined;
  const plain = expanded
    .replaceAll(/\\[nrt]/g, ' ')
    .replaceAll(/['"]\s*\+\s*['"]|["'\\`]/g, '')
    .replaceAll(/[(){}[\],;|&]/g, ' ')
    .replaceAll(/\s(?!--write\b)--?[\w-]+(?=\s)/g, ' ');
  return DECISION_IN_TEXT.exec(plain)?.[1]?.replaceAll(/\s+/g, ' ');
}

/** Whether the letters occur in this order. A cheap test that excludes most texts. */
function hasLettersOf(text: string, letters: string): boolean {
  let at = -1;
  for (const letter of letters) if ((at = text.indexOf(letter, at + 1)) === -1) return false;
  return true;
}
