/** The process of one session with modules: answers the events that the daemon hands over, and ends with the daemon. */

import { fireRequest } from '../fire/answer.ts';
import { bridgeArguments } from '../fire/bridge-arguments.ts';
import { judgingEnvironment } from './caller-environment.ts';
import { captureStandardStreams } from './captured-output.ts';
import { SessionHooks } from './session-hooks.ts';
import type { FromSession, SessionRequest, ToSession } from './session-process.ts';

captureStandardStreams();

const session = new SessionHooks({ refuseImports: false, checksFiles: false });
let isEnding = false;

const send = (message: FromSession): void => void process.send?.(message);

async function answer(id: number, { args, cwd, env, text, spentMs, waiting }: SessionRequest): Promise<void> {
  const receivedMs = performance.now() - spentMs;
  takeEnvironment({ env, cwd });
  // What was imported stays imported, so changed modules need a new process.
  if (!(await session.isCurrent())) return send({ kind: 'stale', id });
  const request = fireRequest(bridgeArguments(args, { env, cwd }), text, { env, cwd, waiting });
  send({ kind: 'answer', id, output: await session.answer(request, receivedMs) });
}

/** Modules read `process.env`. Events with another environment are only sent while no event is being answered. */
function takeEnvironment({ env, cwd }: Pick<SessionRequest, 'env' | 'cwd'>): void {
  // As in a process that was started with it: Node takes these two out.
  const {
    NODE_CHANNEL_FD: _channel,
    NODE_CHANNEL_SERIALIZATION_MODE: _mode,
    ...rest
  } = judgingEnvironment(env);
  for (const name of Object.keys(process.env)) if (!Object.hasOwn(rest, name)) delete process.env[name];
  Object.assign(process.env, rest);
  try {
    process.chdir(cwd);
  } catch {
    // the folder was removed
  }
}

function endWhenIdle(): void {
  if (isEnding && session.inFlight === 0) process.disconnect();
}

process.on('message', (message: ToSession) => {
  if (message.kind === 'end') {
    isEnding = true;
    endWhenIdle();
  } else void answer(message.id, message.request).finally(endWhenIdle);
});
process.on('disconnect', () => process.exit(0));
