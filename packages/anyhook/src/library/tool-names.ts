/** Known tool names, so that a matcher for one of them is not reported as a typo. */

import { furtherTools } from '../agents/shared/dialect/further-tools.ts';
import { DIALECTS } from '../dialects.ts';
import { namesIn } from '../events/lexicon.ts';
import { TOOLS } from '../events/tools.ts';

export interface KnownTools {
  /** Our own hooks may use the names of every dialect. */
  of(dialect: string): ReadonlySet<string>;
  readonly all: ReadonlySet<string>;
}

/** Tool names by dialect. `offered` are tools that hooks or the host add. */
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
