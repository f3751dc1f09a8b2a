/**
 * Tools that start a program or run code in words of their own: each is told as the shell command that does the same, so
 * that a guard of the shell is asked. They are no names of the shell: "everything but Bash" does not mean them.
 */
import { isPlain } from './changes.ts';
import type { Fields } from './effects.ts';
import { quotedWord } from './tool-words.ts';

export interface Launch {
  /** Undefined where this call starts nothing. */
  readonly commandIn: (input: Fields) => string | undefined;
  /** Absent: another command has no way back into the call. */
  readonly withCommand?: (input: Fields, command: string) => Fields;
}
const monitor: Launch = {
  commandIn: ({ command }) => (typeof command === 'string' ? command : undefined),
  withCommand: (input, command) => ({ ...input, command }),
};
export const LAUNCHES: Readonly<Record<string, Launch>> = {
  // What watches the lines that a command prints, in Claude Code, Qwen Code and Grok Build.
  Monitor: monitor,
  monitor,
  // Of oh-my-pi: the first starts processes that it looks after, the second keeps an interpreter.
  hub: {
    commandIn: ({ op, application, args, env }) =>
      op === 'start' && typeof application === 'string'
        ? [...variablesIn(env), application, ...(Array.isArray(args) ? args : [])].map(quotedWord).join(' ')
        : undefined,
  },
  eval: {
    commandIn: ({ language, code }) =>
      typeof code === 'string' && typeof language === 'string'
        ? `${language.startsWith('py') ? 'python3 -c' : 'node -e'} ${quotedWord(code)}`
        : undefined,
  },
};

const variablesIn = (env: unknown): readonly string[] =>
  isPlain(env) && Object.keys(env).length > 0
    ? ['env', ...Object.entries(env).map(([name, value]) => `${name}=${String(value)}`)]
    : [];
