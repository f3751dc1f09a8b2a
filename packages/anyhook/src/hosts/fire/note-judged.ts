import { foldersOf } from '../../assembly/folders.ts';
import { keepJudged } from '../../assembly/judged-calls.ts';
import type { Locations } from '../../canon/dialect.ts';
import type { EventInput } from '../../canon/event.ts';
import type { Fields } from '../../canon/effects.ts';
import type { Outcome } from '../../canon/outcome.ts';
import { projectRoot } from '../library/project-root.ts';

/** A call that may run is noted for the proxy around an MCP server, which then asks nobody again. */
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
