/** A terminal of its own, typed into and looked at as a person would. */

import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

export const hasTmux = (): boolean => {
  try {
    execFileSync('tmux', ['-V'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

export interface Terminal {
  /** Waits until the screen shows it. */
  sees(text: string | RegExp, longestMs?: number): Promise<string>;
  /** Names of keys, as tmux has them: `Enter`, `Down`, `Escape`, `C-c`. */
  keys(...names: readonly string[]): void;
  types(text: string): void;
  /** The lines that the terminal itself has broken: what was printed did not fit. */
  broken(): readonly string[];
  close(): void;
}

const LONGEST_MS = 30_000;

/** A server and a session of its own: nobody else's terminal is touched. */
export function openTerminal(
  command: string,
  env: Readonly<Record<string, string>>,
  cwd: string,
  { columns = 120, rows = 40 }: { readonly columns?: number; readonly rows?: number } = {},
): Terminal {
  const socket = `anyhook-${randomBytes(6).toString('hex')}`;
  const tmux = (...args: readonly string[]): string =>
    execFileSync('tmux', ['-L', socket, '-f', '/dev/null', ...args], {
      encoding: 'utf8',
      env: { ...env, TERM: 'xterm-256color' },
    });
  tmux(
    'new-session',
    '-d',
    '-s',
    'menu',
    '-x',
    String(columns),
    '-y',
    String(rows),
    '-c',
    cwd,
    `${command}; echo "ended with $?"; sleep 600`,
  );
  return {
    async sees(text, longestMs = LONGEST_MS) {
      const until = Date.now() + longestMs;
      for (;;) {
        const screen = tmux('capture-pane', '-p', '-t', 'menu');
        if (typeof text === 'string' ? screen.includes(text) : text.test(screen)) return screen;
        if (Date.now() > until) throw new Error(`never seen: ${String(text)}\n${screen}`);
        await sleep(50);
      }
    },
    keys: (...names) => void tmux('send-keys', '-t', 'menu', ...names),
    types: (text) => void tmux('send-keys', '-t', 'menu', '-l', text),
    broken() {
      const shown = new Set(linesOf(tmux('capture-pane', '-p', '-t', 'menu')));
      return linesOf(tmux('capture-pane', '-p', '-J', '-t', 'menu')).filter((line) => !shown.has(line));
    },
    close: () => {
      try {
        tmux('kill-server');
      } catch {
        // it ended by itself
      }
    },
  };
}

const linesOf = (screen: string): string[] => screen.split('\n').map((line) => line.trimEnd());
