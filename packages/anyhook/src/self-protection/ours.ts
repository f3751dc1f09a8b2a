/** Our own commands by which a person decides; an agent does not. The commands refuse by themselves as well. */
import { basename } from 'node:path';
import type { ShellAssignment } from '../shell/read-script.ts';
import type { CommandWords } from './commands.ts';

const VERB = /^(?:trust (?:add|revoke|accept)|pause|resume|install|uninstall|add|remove|hooks|reload)\b/;
const PROGRAM = /^anyhook(?:\.[cm]?js|@.*)?$/;

/** `anyhook pause`, `node …/anyhook.cjs pause`, `npx anyhook pause`. */
export function saidToUs({ name, args }: CommandWords): string | undefined {
  if (!PROGRAM.test(name) && !STARTERS.test(name)) return undefined;
  const words = [name, ...args].filter((word) => !word.startsWith('-'));
  const at = words.findIndex((word) => PROGRAM.test(basename(word)));
  if (at === -1 || (at > 0 && !STARTERS.test(name))) return undefined;
  return VERB.exec(words.slice(at + 1).join(' '))?.[0];
}
const STARTERS = /^(?:node|bun|deno|npx|bunx|pnpm|yarn|npm|tsx|corepack)$/;

/** `npm rm -g anyhook`, `npm i -g anyhook@0.0.1`: our program for every agent of this machine, gone or another one. */
export function replacesUs({ name, args }: CommandWords): boolean {
  if (!/^(?:npm|pnpm|yarn|bun|cnpm|volta)$/.test(name)) return false;
  const isForAll =
    name === 'volta' || args.some((arg) => /^(?:-\w*g\w*|--global|(?:--location=)?global)$/.test(arg));
  return (
    isForAll &&
    args.some((arg) => CHANGES.test(arg)) &&
    args.some((arg) => PROGRAM.test(basename(arg).replace(/^.*[:#]/, '')))
  );
}
const CHANGES =
  /^(?:r|rm|remove|un|unlink|uninstall|i|in|ins|inst|insta|instal|install|isnt\w*|add|up|update|upgrade|link|ln)$/;

/** `which anyhook`, `npm root -g`: they print where our program lies. */
export const tellsWhereWeAre = ({ name, args }: CommandWords): boolean =>
  /^(?:which|whereis|type|command|where|hash)$/.test(name) && args.some((arg) => PROGRAM.test(arg));

/** `pkill -f anyhook`, `kill $(pgrep anyhook)`: what has been ended refuses nothing. */
export function endsUs(read: readonly CommandWords[]): boolean {
  const isAboutUs = ({ args }: CommandWords) => args.some((arg) => /anyhook/i.test(arg));
  const finds = read.some((one) => FINDERS.test(one.name) && isAboutUs(one));
  return read.some(({ name, args }) => ENDERS.test(name) && (finds || isAboutUs({ name, args })));
}
const ENDERS = /^(?:kill|pkill|killall5?|skill|xkill|taskkill|fuser|systemctl|gdb|lldb|prlimit|cpulimit)$/;
const FINDERS = /^(?:pgrep|pidof|ps|lsof|fuser|[ef]?grep|awk|ss)$/;

/** They press keys for somebody: the words they are given may reach the person's own terminal. */
export const types = ({ name }: CommandWords): boolean =>
  /^(?:xdotool|ydotool|dotool|wtype|kitty|kitten|wezterm|zellij|screen|tmux|osascript)$/.test(name);

const SPOKEN =
  /\banyhook(?:\.[cm]?js|@\S+)?\s+(trust\s+(?:add|revoke|accept)|pause|resume|install|uninstall|add|remove|hooks|reload)\b/;

/** In a text that nobody can resolve: the letters, without what a shell or a language puts around words. */
export function spokenToUs(text: string, settings: readonly ShellAssignment[]): string | undefined {
  const given = new Map(
    settings.filter(({ value }) => value.fixed).map(({ name, value }) => [name, value.value]),
  );
  const spelled =
    given.size === 0
      ? text
      : text.replaceAll(/\$\{?(\w+)\}?/g, (whole, name: string) => given.get(name) ?? whole);
  if (!hasLetters(spelled, 'anyhook')) return undefined;
  const plain = spelled
    .replaceAll(/\\[nrt]/g, ' ')
    .replaceAll(/['"]\s*\+\s*['"]|["'\\`]/g, '')
    .replaceAll(/[(){}[\],;|&]/g, ' ')
    .replaceAll(/\s--?[\w-]+(?=\s)/g, ' ');
  return SPOKEN.exec(plain)?.[1]?.replaceAll(/\s+/g, ' ');
}

/** One after the other, whatever stands between them: most texts are told apart by that alone. */
function hasLetters(text: string, letters: string): boolean {
  let at = -1;
  for (const letter of letters) if ((at = text.indexOf(letter, at + 1)) === -1) return false;
  return true;
}
