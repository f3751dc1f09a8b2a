/**
 * Files that the host reads by itself. What stands in them is its business; but most agents pass over a slip in silence, and
 * then a guard is off that everybody believes in. So who begins a session is told of it.
 */
import { DIALECTS } from '../../assemble.ts';
import type { Options } from '../../assembly/options.ts';
import type { Dialect, Locations } from '../../canon/dialect.ts';
import { type Problem, show } from '../../canon/problems.ts';
import { loadSettings } from '../../settings/load.ts';
import { partLeft } from './dialects-read.ts';
import { projectLocations } from './project-root.ts';

/** As `settings.without` names them: `goose`, or `goose@/part/` for those files only. */
const dialectsLeft = (without: readonly string[] = []): readonly Dialect[] =>
  DIALECTS.flatMap((dialect) => {
    if (without.includes(dialect.name)) return dialect;
    const part = partLeft(without, dialect);
    if (part === undefined) return [];
    const places: Dialect['config']['places'] = (where) =>
      dialect.config.places(where).filter(({ file }) => file.includes(part));
    return { ...dialect, config: { ...dialect.config, places } };
  });

export function placesLeft(without: readonly string[], where: Pick<Options, 'cwd'>): readonly string[] {
  const locations = projectLocations(where);
  return dialectsLeft(without).flatMap(({ config }) => config.places(locations).map(({ file }) => file));
}

/** Lines for the person. An agent that is newer than we are may know more words: only what is near to a known one is a slip. */
export function slipsLeft(without: readonly string[] | undefined, locations: Locations): readonly string[] {
  const dialects = dialectsLeft(without);
  if (dialects.length === 0) return [];
  const { problems } = loadSettings(dialects, locations);
  return problems.filter(isSlip).map((problem) => `anyhook: ${show(problem)}; see: anyhook list`);
}

const isSlip = ({ code, severity, remedy = '' }: Problem): boolean =>
  severity === 'error' &&
  (code === 'syntax' ||
    code === 'duplicate-key' ||
    code === 'unknown-key' ||
    (code === 'unknown-event' && remedy.startsWith('Did you mean')));
