/** Names of tools, so that a matcher for one of them is not taken for a slip. */
import { DIALECTS } from '../dialects.ts';
import { namesIn } from '../events/lexicon.ts';
import { TOOLS } from '../events/tools.ts';
import { furtherTools } from '../agents/shared/dialect/further-tools.ts';

export interface KnownTools {
  /** Our own hooks may use anybody's. */
  of(dialect: string): ReadonlySet<string>;
  readonly all: ReadonlySet<string>;
}

/** By dialect. `offered`: tools that hooks bring along, or that the host has besides. */
export function toolNames(offered: Iterable<string> = []): KnownTools {
  const byDialect = new Map(
    DIALECTS.map(({ name, tools, otherTools = [] }) => [
      name,
      new Set([...Object.keys(TOOLS).flatMap((tool) => namesIn(tools, tool)), ...otherTools, ...offered]),
    ]),
  );
  const further = Object.keys(TOOLS).flatMap((tool) => namesIn(furtherTools, tool));
  const all = new Set([...[...byDialect.values()].flatMap((names) => [...names]), ...further]);
  return { all, of: (dialect) => (dialect === 'anyhook' ? all : (byDialect.get(dialect) ?? all)) };
}
