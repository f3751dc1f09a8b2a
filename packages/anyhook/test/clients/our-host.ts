/** A host that an SDK accepts as the CLI. It runs one tool per prompt after calling the callbacks of the SDK. */

import { EventEmitter } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { CallbackPeer } from '../../src/agents/claude-agent-sdk/api/index.ts';
import { createHooks, type Hooks, type Outcome } from '../../src/index.ts';
import { EVERYTHING } from '../../src/testing/index.ts';

/** The interface that the real SDK expects of a process. */
export class OurHost extends EventEmitter {
  readonly stdin = new PassThrough();
  readonly stdout = new PassThrough();
  killed = false;
  exitCode: number | null = null;
  readonly outcomes: Outcome[] = [];
  readonly #peer: CallbackPeer;
  readonly #folder: string;
  #hooks: Hooks | undefined;

  constructor(folder: string) {
    super();
    this.#folder = folder;
    this.#peer = new CallbackPeer({
      input: this.stdin,
      output: this.stdout,
      onMessage: (message) => void (message['type'] === 'user' && this.#turn()),
      onGone: () => this.#exit(),
    });
    this.#peer.start();
  }

  kill(): boolean {
    this.killed = true;
    this.#exit();
    return true;
  }

  async #turn(): Promise<void> {
    const sdk = await this.#peer.ready();
    this.#hooks ??= await createHooks({
      host: { name: 'ours', can: EVERYTHING },
      cwd: this.#folder,
      settings: false,
      journal: false,
      hooks: sdk,
    });
    const outcome = await this.#hooks.fire({
      name: 'tool.before',
      payload: { tool: 'shell', input: { command: 'touch ran.txt' } },
      ids: { session: 's1', call: 'toolu_1' },
    });
    this.outcomes.push(outcome);
    if (outcome.proceed === 'yes') writeFileSync(join(this.#folder, 'ran.txt'), '');
    await this.#hooks.fire({ name: 'turn.stop', payload: { active: false } });
    this.#peer.send({
      type: 'result',
      subtype: 'success',
      is_error: false,
      result: outcome.verdict,
      session_id: 's1',
      uuid: 'u1',
      num_turns: 1,
    });
  }

  #exit(): void {
    if (this.exitCode !== null) return;
    this.exitCode = 0;
    this.stdout.end();
    void this.#hooks?.close();
    setImmediate(() => this.emit('exit', 0, null));
  }
}
