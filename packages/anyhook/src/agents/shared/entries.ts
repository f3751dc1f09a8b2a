/** For agents that start a command for every event: one entry per word, each with our line in it. */
import type { AgentSetup } from './bridge.ts';
import {
  clientCommand,
  type CommandShell,
  DEFAULT_DEADLINE_MS,
  type FailureReading,
} from './client-command.ts';

/** What the agent waits, and what is ours of it. */
interface Time {
  readonly host: number;
  readonly ours: number;
}
const USUAL: Time = { host: 600_000, ours: DEFAULT_DEADLINE_MS };

export interface BridgedWords {
  /** The word on which a tool call is judged: its line refuses when we cannot answer. */
  readonly guard: string;
  readonly words: readonly string[];
  readonly shell: CommandShell;
  /** How it learns that the command failed; by default from the exit code. */
  readonly reading?: FailureReading;
  readonly times?: Readonly<Record<string, Time>>;
}
/** One entry, as the agent's own settings have it. */
export type WriteEntry = (about: {
  readonly command: string;
  readonly hostMs: number;
  /** A failure of the entry itself must refuse, where the agent has a word for that. */
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
