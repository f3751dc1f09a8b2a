/**
 * `anyhook bridge <agent>`: what the client in an agent's settings starts if no daemon can answer. It answers one event in this
 * process and ends.
 */

import { UsageError } from '../console/usage.ts';
import { endIfUnresponsive } from '../daemon/ask-daemon.ts';
import { callerEnvironment } from '../daemon/caller-environment.ts';
import { keepClientInStep } from '../daemon/client-conf.ts';
import { daemonPlaceOf } from '../daemon/place.ts';
import { fireRequest } from '../fire/answer.ts';
import { bridgeArguments } from '../fire/bridge-arguments.ts';
import { locationsOf } from '../gather/folders.ts';
import { workingFolder } from '../settings/working-folder.ts';
import { answerDirectly, readStdin } from './answer-directly.ts';
import type { Define } from './commands.ts';

/** To an agent exit 2 is a refusal, so wrong use has another code here: the client then fails as its own arguments say. */
const EXIT_USAGE = 64;
const DAEMON_ANSWER_MS = 1000;

export const define: Define = (command, done) => {
  command
    .argument('<agent>', 'Agent whose event comes on stdin')
    .option('--deadline-ms <ms>', 'Answer within this time, whatever hooks do')
    .option('--as <dialect>', 'Format of the payload, for an agent that is not known here')
    .option('--strict', 'Refuse if the agent cannot do what hooks ask for')
    .option('--on-failure <mode>', 'Read by the client only')
    .option('--daemon <state>', 'unresponsive: end the daemon; the next event starts a new one')
    .allowUnknownOption()
    .allowExcessArguments()
    .action(async () => done(await runBridge(process.argv.slice(process.argv.indexOf('bridge') + 1))));
};

export async function runBridge(words: readonly string[]): Promise<number> {
  try {
    return await answerOne(words);
  } catch (error) {
    if (error instanceof UsageError) Object.assign(error, { exitCode: EXIT_USAGE });
    throw error;
  }
}

async function answerOne(words: readonly string[]): Promise<number> {
  const caller = { env: callerEnvironment(process.env), cwd: workingFolder() };
  const args = bridgeArguments(words, caller);
  const request = fireRequest(args, await readStdin(), caller);
  const code = await answerDirectly(request);
  const locations = locationsOf(caller);
  keepClientInStep(locations);
  if (args.isDaemonUnresponsive) await endIfUnresponsive(daemonPlaceOf(locations), DAEMON_ANSWER_MS);
  return code;
}
