/** For agents that start a command per event: one settings entry per event, each with our command. */

import type { AgentSetup } from './bridge.ts';
import {
  clientCommand,
  type CommandShell,
  DEFAULT_DEADLINE_MS,
  type FailureReading,
} from './client-command.ts';

/** The agent's timeout, and our share of it. */
interface Time {
  readonly host: number;
  readonly ours: number;
}
const USUAL: Time = { host: 600_000, ours: DEFAULT_DEADLINE_MS };

export interface BridgedWords {
  /** The event that judges a tool call. Its command refuses if anyhook cannot answer. */
  readonly guard: string;
  readonly words: readonly string[];
  readonly shell: CommandShell;
  /** How the agent detects a failed command; default: by the exit code. */
  readonly reading?: FailureReading;
  readonly times?: Readonly<Record<string, Time>>;
}
/** Creates one entry in the agent's own format. */
export type WriteEntry = (about: {
  readonly command: string;
  readonly hostMs: number;
  /** A failure of the entry itself must refuse, if the agent has a setting for that. */
  readonly isClosed: boolean;
}) => object;

export const entriesOf =
  ({ guard, words, shell, reading = 'exit', times = {} }: BridgedWords, write: WriteEntry) =>
  (setup: AgentSetup): Readonly<Record<string, object>> =>
    Object.fromEntries(
      words.map((word) => {
        const { host, ours } = times[word] ?? USUAL;
        const isClosed = word === guard && setup.failure === 'closed';
        const command = clientCommand(setup, { deadlineMs: ours, isClosed, shell, reading });
        return [word, write({ command, hostMs: host, isClosed })];
      }),
    );
