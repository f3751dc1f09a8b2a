/** A home folder with our bridges. Its commands run as an agent would run them: through the daemon, or directly. */

import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type AgentName, AGENTS } from '../../src/agents/index.ts';
import { clientCommand, clientFile } from '../../src/agents/shared/client-command.ts';
import { daemonState, ownerIn } from '../../src/daemon/ask-daemon.ts';
import { nodeClient } from '../../src/daemon/client-file.ts';
import type { DaemonState } from '../../src/daemon/frames.ts';
import { daemonPlaceOf } from '../../src/daemon/place.ts';
import { carryOut } from '../../src/install/carry-out.ts';
import { planInstall } from '../../src/install/plan.ts';
import { setupFor } from '../../src/install/setup.ts';
import { removeTree } from '../../src/settings/remove-tree.ts';

export const CLI = fileURLToPath(new URL('../../dist/bin/anyhook.cjs', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}
export type ClientKind = 'native' | 'node';

interface LineOptions {
  readonly agent?: AgentName;
  /** Whether to refuse if the event cannot be judged. */
  readonly isClosed?: boolean;
  /** Shell code that runs first. */
  readonly first?: string;
}

export class DaemonWorld {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'ah-')));
  readonly homeName: string;
  readonly home: string;
  readonly project = join(this.root, 'project');
  readonly env: Record<string, string>;

  /** `homeName` is relative to the root. */
  constructor(homeName = 'home') {
    this.homeName = homeName;
    this.home = join(this.root, homeName);
    this.env = { PATH: process.env['PATH']!, HOME: this.home, LANG: 'C.UTF-8' };
    for (const folder of [this.home, this.project]) mkdirSync(folder, { recursive: true });
  }

  get place() {
    return daemonPlaceOf({ home: this.home, env: {} });
  }
  get client(): string {
    return clientFile({ home: this.home });
  }
  put(path: string, content: object | string): string {
    const file = join(this.root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content), { mode: 0o755 });
    return file;
  }
  /** Installs with the client that fits this machine, or with the given one. */
  install(agent: AgentName, kind?: ClientKind): void {
    const where = { scope: 'user', home: this.home, cwd: this.project, env: {} } as const;
    carryOut(planInstall(AGENTS[agent], where, setupWith(kind)));
  }
  /** A session pins its guards, so a test that changes them starts another session. */
  session = 's1';
  payload(event: string, more: object = {}): object {
    return { hook_event_name: event, session_id: this.session, cwd: this.project, ...more };
  }
  bash(command: string): object {
    return this.payload('PreToolUse', { tool_name: 'Bash', tool_input: { command } });
  }

  /** Runs the command in the settings of the agent. */
  line(
    payload: object | string,
    { agent = 'codex', isClosed = true, first = '' }: LineOptions = {},
  ): Promise<Ended> {
    return this.run(['/bin/sh', '-c', `${first}${this.command(agent, isClosed)}`], payload);
  }
  command(agent: AgentName = 'codex', isClosed = true): string {
    const { dialect } = AGENTS[agent];
    const where = { scope: 'user', home: this.home, file: '~/hooks' } as const;
    const setup = { ...setupWith(), ...where, agent, dialect };
    return clientCommand(setup, { deadlineMs: 590_000, isClosed, shell: 'posix' });
  }
  /** In one Node process, as the client does if there is no daemon. */
  direct(payload: object | string, agent: AgentName = 'codex'): Promise<Ended> {
    return this.run([process.execPath, CLI, 'bridge', agent], payload);
  }
  cli(...args: readonly string[]): Promise<Ended> {
    return this.run([process.execPath, CLI, ...args]);
  }
  async run([program, ...args]: readonly string[], payload: object | string = ''): Promise<Ended> {
    const child = spawn(program!, args, { cwd: this.project, env: this.env });
    child.stdin.on('error', () => {}); // The program did not read all of its input.
    child.stdin.end(typeof payload === 'string' ? payload : JSON.stringify(payload));
    const [stdout, stderr, code] = await Promise.all([
      textOf(child.stdout),
      textOf(child.stderr),
      new Promise<number | null>((resolve) => child.on('close', resolve)),
    ]);
    return { code, stdout, stderr };
  }

  async state(): Promise<DaemonState | undefined> {
    const state = await daemonState(this.place, 5000);
    return typeof state === 'object' ? state : undefined;
  }
  /** The number of events that the daemon has answered. */
  async answered(): Promise<number> {
    return (await this.state())?.events ?? 0;
  }
  get owner() {
    return ownerIn(this.place);
  }
  /** Waits until no daemon listens. */
  async stopped(): Promise<void> {
    for (let i = 0; i < 400 && (await daemonState(this.place, 5000)) !== 'none'; i++) await pause(25);
  }
  /** Lines of a file that a hook appends to. */
  lines(name: string): string[] {
    try {
      return readFileSync(join(this.root, name), 'utf8').trim().split('\n').filter(Boolean);
    } catch {
      return [];
    }
  }
  async close(): Promise<void> {
    const { owner } = this;
    if (owner !== undefined)
      try {
        process.kill(owner.pid, 'SIGCONT');
        process.kill(owner.pid, 'SIGTERM');
      } catch {
        // The process has exited.
      }
    await pause(200);
    removeTree(this.root);
  }
}

function setupWith(kind?: ClientKind) {
  const setup = setupFor('closed');
  return kind === 'node' ? { ...setup, client: nodeClient() } : setup;
}

/** Waits until the process has exited. */
export async function hasEnded(pid: number): Promise<boolean> {
  for (let i = 0; i < 600; i++) {
    try {
      process.kill(pid, 0);
    } catch {
      return true;
    }
    await pause(25);
  }
  return false;
}
/** Both clients if the native client was built. */
export const CLIENTS: readonly ClientKind[] =
  setupFor('closed').client.kind === 'native' ? ['native', 'node'] : ['node'];
