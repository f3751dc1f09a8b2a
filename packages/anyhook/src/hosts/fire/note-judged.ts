import { foldersOf } from '../../assembly/folders.ts';
import { keepJudged } from '../../assembly/judged-calls.ts';
import type { Locations } from '../../canon/dialect.ts';
import type { EventInput } from '../../canon/event.ts';
import type { Fields } from '../../canon/effects.ts';
import type { Outcome } from '../../canon/outcome.ts';
import { projectRoot } from '../library/project-root.ts';

/** Of who answers more than one event. */
const folders = new WeakMap<Locations, string>();

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
  const folder = folders.get(here) ?? foldersOf(here).judged;
  folders.set(here, folder);
  keepJudged({ folder, agent, project: () => projectRoot(here) }, tool, input as Fields);
}
