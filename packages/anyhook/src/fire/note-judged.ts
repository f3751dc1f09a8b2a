import type { Locations } from '../events/dialect.ts';
import type { Fields } from '../events/effects.ts';
import type { EventInput } from '../events/event.ts';
import type { Outcome } from '../events/outcome.ts';
import { foldersOf } from '../gather/folders.ts';
import { keepJudged } from '../gather/judged-calls.ts';
import { projectRoot } from '../library/project-root.ts';

/** Records a call that may run, so that the proxy around an MCP server does not ask the hooks again. */
export function noteJudged(
  agent: string,
  here: Required<Locations>,
  { name }: EventInput,
  outcome: Outcome,
): void {
  if (name !== 'tool.before' || outcome.proceed !== 'yes') return;
  const { tool, input } = outcome.payload;
  if (typeof tool !== 'string') return;
  keepJudged(
    { folder: foldersOf(here).judged, agent, project: () => projectRoot(here) },
    tool,
    input as Fields,
  );
}
