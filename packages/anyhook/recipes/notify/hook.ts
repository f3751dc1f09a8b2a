/** A word on your desktop when the agent has finished: Linux, macOS, and terminals that know OSC 9. */

import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { defineHook } from 'anyhook';

/** Some agents tell of the end twice, by both of these events. */
const ONCE_IN_MS = 2_000;
let toldMs = 0;

const tellOn = <const E extends 'turn.stop' | 'agent.idle'>(on: E) =>
  defineHook({
    on,
    name: 'notify',
    roles: ['observer'],
    timeoutMs: 5_000,
    async run({ scene }, { exec }) {
      if (Date.now() - toldMs < ONCE_IN_MS) return undefined;
      toldMs = Date.now();
      const text = `Your agent is done in ${basename(scene.cwd)}`;
      const [program, ...args] =
        process.platform === 'darwin'
          ? ['osascript', '-e', `display notification ${JSON.stringify(text)} with title "Agent"`]
          : ['notify-send', 'Agent', text];
      const { code } = await exec(program!, args).catch(() => ({ code: 127 }));
      if (code !== 0) await writeFile('/dev/tty', `\u001b]9;${text}\u0007`).catch(() => {}); // nobody is there to be told
      return undefined;
    },
  });

export default [tellOn('turn.stop'), tellOn('agent.idle')];
