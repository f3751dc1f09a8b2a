/** For agents that start a command for every event: one entry per word, each with our line in it. */
import type { AgentSetup } from './bridge.ts';
import { closedLine, type LineHearing, type LineShell, openLine } from './command-line.ts';

/** What the agent waits, and what is ours of it. */
interface Time {
  readonly host: number;
  readonly ours: number;
}
const USUAL: Time = { host: 600_000, ours: 590_000 };

export interface BridgedWords {
  /** The word on which a tool call is judged: its line refuses when we cannot answer. */
  readonly guard: string;
  readonly words: readonly string[];
  readonly shell: LineShell;
  /** How it hears a failure of the line itself; without a word, by the exit code. */
  readonly hearing?: LineHearing;
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
  ({ guard, words, shell, hearing = 'exit', times = {} }: BridgedWords, write: WriteEntry) =>
  (setup: AgentSetup): Readonly<Record<string, object>> =>
    Object.fromEntries(
      words.map((word) => {
        const { host, ours } = times[word] ?? USUAL;
        const isClosed = word === guard && setup.failure === 'closed';
        const command = (isClosed ? closedLine : openLine)(setup, ours, { shell, hearing });
        return [word, write({ command, hostMs: host, isClosed })];
      }),
    );
