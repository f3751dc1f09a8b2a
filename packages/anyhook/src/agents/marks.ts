import { AGENTS } from './index.ts';
import { OTHER_MARKS } from './others.ts';

/** Maps each variable to the display name of the agent that sets it for child processes. */
export const AGENT_MARKS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.values(AGENTS).flatMap(({ marks, shown }) => marks.map((mark) => [mark, shown])),
  ),
  ...OTHER_MARKS,
};
