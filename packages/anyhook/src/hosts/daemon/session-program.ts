/** The process of one session with modules: answers the events that the daemon hands over, and ends with the daemon. */
import { bridgeArguments } from '../fire/bridge-arguments.ts';
import { fireRequest } from '../fire/answer.ts';
import { restoreCallerEnvironment } from './caller-environment.ts';
import { captureStandardStreams } from './captured-output.ts';
import { SessionHooks } from './session-hooks.ts';
import type { FromSession, SessionRequest, ToSession } from './session-process.ts';

captureStandardStreams();
restoreCallerEnvironment();

const session = new SessionHooks({ refuseImports: false });
let isEnding = false;

const send = (message: FromSession): void => void process.send?.(message);

async function answer(id: number, { args, cwd, env, text, spentMs }: SessionRequest): Promise<void> {
  const receivedMs = performance.now() - spentMs;
  // What was imported stays imported, so changed modules need a new process.
  if (!(await session.isCurrent())) return send({ kind: 'stale', id });
  const request = fireRequest(bridgeArguments(args, { env, cwd }), text, { env, cwd });
  send({ kind: 'answer', id, output: await session.answer(request, receivedMs) });
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
