/** A session that ends after one event, in this process. */

import { text } from 'node:stream/consumers';
import type { NativeOutput } from '../console/speak.ts';
import {
  answerFire,
  answerOpenFailure,
  answerProcessEnd,
  type FireRequest,
  locationsFor,
  openHooks,
} from '../fire/answer.ts';
import { noteCall } from '../fire/note-call.ts';
import type { Hooks } from '../library/hooks.ts';

/** By `performance.now()`: the start of this process counts as part of the deadline. */
const PROCESS_START_MS = 0;

/** Resolves with the exit code. */
export async function answerDirectly(request: FireRequest): Promise<number> {
  if (request.isAskedElsewhere) return 0;
  noteCall(request);
  const printAnswer = reserveStdout();
  const print = ({ stdout, stderr, code }: NativeOutput): number => {
    printAnswer(stdout);
    process.stderr.write(stderr);
    return code;
  };
  const onExit = () => void (process.exitCode = print(answerProcessEnd(request)));
  process.once('exit', onExit);
  const answer = await answerOf(request);
  process.off('exit', onExit);
  return print(answer);
}

async function answerOf(request: FireRequest): Promise<NativeOutput> {
  let hooks: Hooks;
  const locations = locationsFor(request);
  try {
    hooks = await openHooks(request, {
      locations,
      log: (line) => void process.stderr.write(line),
      startedMs: PROCESS_START_MS,
    });
  } catch (error) {
    // Wrong use has its own message and exit code.
    if ((error as Error).name === 'UsageError') throw error;
    return answerOpenFailure(request, error as Error);
  }
  try {
    return await answerFire(request, hooks, {
      locations,
      startedMs: PROCESS_START_MS,
      afterwards: () => hooks.close(),
    });
  } catch (error) {
    return answerOpenFailure(request, error as Error);
  }
}

/** Empty on a terminal, where reading would wait for the user to type. */
export const readStdin = async (): Promise<string> => (process.stdin.isTTY ? '' : await text(process.stdin));

/** Modules in this process may print, and stdout is for the answer alone: their output goes to stderr from here on. */
function reserveStdout(): (text: string) => void {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  return (answer) => void (answer !== '' && write(answer));
}
