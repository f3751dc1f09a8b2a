import { AGENTS } from './index.ts';
import { OTHER_MARKS } from './others.ts';

/** Variable → the agent that sets it in what it starts, as people call it. */
export const AGENT_MARKS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.values(AGENTS).flatMap(({ marks, shown }) => marks.map((mark) => [mark, shown])),
  ),
  ...OTHER_MARKS,
};
