/** The contract between agents, which know the format of their transcripts, and the code that reads the files. */

import type { Locations } from '../../../events/dialect.ts';
import type { Fields } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import type { TokenCounts } from '../../../events/usage.ts';

/** What one line of a transcript states. */
export interface UsageStatement {
  /** Identifies the model request. A later statement about the same request replaces the earlier one. */
  readonly request?: string;
  /** Tokens of one model request. */
  readonly counts?: TokenCounts;
  /** In US dollars, for this request. */
  readonly costUsd?: number;
  /** Tokens of the whole session. Replaces the sum of all requests. */
  readonly total?: TokenCounts;
  readonly totalCostUsd?: number;
  readonly contextTokens?: number;
  readonly contextWindow?: number;
  /** The request of a subagent counts for the session, but is not its last request. */
  readonly isSubagent?: true;
}

export interface TranscriptFiles {
  readonly main: string;
  /** Transcripts of subagents. */
  readonly subagents?: readonly string[];
}

/** How the transcript of one agent states usage. The file has one JSON object per line. */
export interface UsageReader {
  /** Returns undefined if the event does not show where the transcript is. Reads the disk only through `where`. */
  files(event: Pick<Event, 'ids' | 'scene'>, where: Required<Locations>): TranscriptFiles | undefined;
  /** Only lines that contain one of these texts are parsed. */
  readonly marks: readonly string[];
  /** Set if each line with a `total` covers the whole session, so that the end of the file is enough. */
  readonly isCumulative?: true;
  read(line: Fields): UsageStatement | undefined;
}

export type UsageFigure = 'tokens' | 'cached' | 'context' | 'window' | 'cost' | 'subagents';

/** What an agent reveals about usage, and where. */
export interface UsageSource {
  /** `in process`: the code that runs inside the agent passes the figures on. */
  readonly from: 'transcript' | 'in process';
  /** Figures that events of a running session carry. */
  readonly figures: readonly UsageFigure[];
  /** A limit that the user should know. */
  readonly note?: string;
  /** Null if the figures come with the events. */
  readonly reader: (() => Promise<UsageReader>) | null;
}

/** A session id that can be part of a path. */
export const isPlainName = (name: string): boolean => /^[\w-][\w.-]{0,127}$/.test(name);
