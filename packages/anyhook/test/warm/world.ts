/** A home with our bridges in it, whose lines are run as an agent would: by the engine where one listens, and without it. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type AgentName, AGENTS } from '../../src/agents/index.ts';
import { closedLine, openLine } from '../../src/agents/shared/command-line.ts';
import { carryOut } from '../../src/hosts/install/carry-out.ts';
import { planInstall } from '../../src/hosts/install/plan.ts';
import { setupFor } from '../../src/hosts/install/setup.ts';
import type { EngineStatus } from '../../src/hosts/warm/engine.ts';
import { askStatus, ownerIn } from '../../src/hosts/warm/owner.ts';
import { type EnginePlaces, enginePlaces } from '../../src/hosts/warm/places.ts';
import { removeTree } from '../../src/settings/remove-tree.ts';

export const CLI = fileURLToPath(new URL('../../dist/bin/anyhook.cjs', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}
export type Way = 'nc' | 'node';

/** Long: on a machine however loaded an engine listens by then. */
const SURELY_MS = 45_000;

export class WarmWorld {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'ah-')));
  readonly homeName: string;
  readonly home: string;
  readonly project = join(this.root, 'project');
  readonly places: EnginePlaces;
  readonly env: Record<string, string>;

  /** `homeName`: below the root. */
  constructor(homeName = 'home') {
    this.homeName = homeName;
    this.home = join(this.root, homeName);
    this.places = enginePlaces(join(this.home, '.local/state/anyhook/engine'));
    this.env = { PATH: process.env['PATH']!, HOME: this.home, LANG: 'C.UTF-8' };
    for (const folder of [this.home, this.project]) mkdirSync(folder, { recursive: true });
  }

  put(path: string, content: object | string): string {
    const file = join(this.root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content), { mode: 0o755 });
    return file;
  }
  install(agent: AgentName, way: Way = 'nc'): void {
    const setup = setupFor('closed');
    const where = { scope: 'user', home: this.home, cwd: this.project, env: {} } as const;
    carryOut(planInstall(AGENTS[agent], where, way === 'nc' ? setup : { ...setup, nc: undefined }));
  }
  /** A session is bound to its guards: whoever changes them between two events does so between two sessions. */
  session = 's1';
  payload(event: string, more: object = {}): object {
    return { hook_event_name: event, session_id: this.session, cwd: this.project, ...more };
  }
  bash(command: string): object {
    return this.payload('PreToolUse', { tool_name: 'Bash', tool_input: { command } });
  }

  /** As the agent's settings have it. `first`: what the shell does before. */
  line(payload: object | string, agent: AgentName = 'codex', make = closedLine, first = ''): Promise<Ended> {
    const setup = { ...setupFor('closed'), scope: 'user', home: this.home } as const;
    const dialect = agent as 'codex';
    const line = make({ ...setup, agent, dialect, file: '~/hooks' }, 590_000);
    return this.run(['/bin/sh', '-c', `${first}${line}`], payload);
  }
  /** Started for this event alone, as the launcher starts it when no engine is there. */
  async cold(payload: object | string, agent: AgentName = 'codex', make = closedLine): Promise<Ended> {
    const words = ['--as', agent, '--host', agent, '--deadline-ms', '590000'];
    words.push('--engine', `start:${this.places.folder}`);
    const ended = await this.run([process.execPath, CLI, 'fire', ...words], payload);
    if (ended.code === 0 || ended.code === 2) return ended;
    const how = `(exit ${ended.code}). See: anyhook doctor.`;
    return make === openLine
      ? { ...ended, code: 1, stderr: `${ended.stderr}anyhook: no hook was asked ${how}\n` }
      : {
          ...ended,
          code: 2,
          stderr: `${ended.stderr}anyhook could not judge this call, so it is refused ${how} To go on without anyhook, delete its lines from ~/hooks\n`,
        };
  }
  async run([program, ...args]: readonly string[], payload: object | string = ''): Promise<Ended> {
    const child = spawn(program!, args, { cwd: this.project, env: this.env });
    child.stdin.on('error', () => {}); // it did not want to hear it
    child.stdin.end(typeof payload === 'string' ? payload : JSON.stringify(payload));
    const [stdout, stderr, code] = await Promise.all([
      textOf(child.stdout),
      textOf(child.stderr),
      new Promise<number | null>((resolve) => child.on('close', resolve)),
    ]);
    return { code, stdout, stderr };
  }

  status(): Promise<EngineStatus | undefined> {
    return askStatus(this.places, 5000);
  }
  /** How many events the engine has answered. */
  async answered(): Promise<number> {
    return (await this.status())?.events ?? 0;
  }
  /** Fires until the engine answers: what is open by then stays open while the disk is as it is. */
  async warmUp(payload: object, agent: AgentName = 'codex', make = closedLine): Promise<Ended> {
    for (const until = Date.now() + SURELY_MS; Date.now() < until; await pause(100)) {
      const before = await this.answered();
      const ended = await this.line(payload, agent, make);
      if ((await this.answered()) > before) return ended;
    }
    throw new Error('no engine has answered');
  }
  /** By the engine. On a machine under load an event may go the cold way, and is fired again. */
  async warm(payload: object | string, agent: AgentName = 'codex', make = closedLine): Promise<Ended> {
    for (let i = 0; i < 20; i++) {
      const before = await this.answered();
      const ended = await this.line(payload, agent, make);
      if ((await this.answered()) === before + 1) return ended;
    }
    throw new Error('the engine did not answer');
  }

  get owner() {
    return ownerIn(this.places.owner);
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
        // it has ended
      }
    await pause(200);
    removeTree(this.root);
  }
}
