/** A real terminal: runs a program in tmux, sends keys and reads the screen. */

import { execFileSync, spawnSync } from 'node:child_process';

export const hasTmux = spawnSync('tmux', ['-V']).status === 0;

export interface Window {
  readonly columns?: number;
  readonly rows?: number;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly command: readonly string[];
}
export class Tmux {
  readonly #socket = `anyhook-${process.pid}-${Math.random().toString(36).slice(2)}`;

  constructor({ columns = 80, rows = 40, cwd, env, command }: Window) {
    const given = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    const line = ['env', '-i', ...given, ...command].map(quoted).join(' ');
    const size = ['-x', String(columns), '-y', String(rows)];
    // Keep the window open after the program exits, so that its last output can be read.
    this.#tmux('new-session', '-d', ...size, '-c', cwd, `${line}; echo "[ended $?]"; sleep 600`);
  }
  type(...keys: readonly string[]): void {
    this.#tmux('send-keys', ...keys);
  }
  text(): string {
    return this.#tmux('capture-pane', '-p', '-S', '-').trimEnd();
  }
  /** The screen with colour sequences. */
  painted(): string {
    return this.#tmux('capture-pane', '-p', '-e', '-S', '-');
  }
  async shows(wanted: string | RegExp, deadlineMs = 30_000): Promise<string> {
    const until = Date.now() + deadlineMs;
    for (;;) {
      const text = this.text();
      if (typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text)) return text;
      if (Date.now() > until) throw new Error(`the terminal never showed ${String(wanted)}:\n${text}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  close(): void {
    spawnSync('tmux', ['-L', this.#socket, 'kill-server']);
  }
  #tmux(...args: readonly string[]): string {
    return execFileSync('tmux', ['-L', this.#socket, '-f', '/dev/null', ...args], { encoding: 'utf8' });
  }
}

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;
