/** Names of tools, so that a matcher for one of them is not taken for a slip. */
import { DIALECTS } from '../../../assemble.ts';
import { namesIn } from '../../../canon/lexicon.ts';
import { TOOLS } from '../../../canon/tools.ts';

/** By dialect; our own hooks may use anybody's. */
export function toolNames(offered: Iterable<string> = []): {
  of(dialect: string): ReadonlySet<string>;
  all: ReadonlySet<string>;
} {
  const byDialect = new Map(
    DIALECTS.map(({ name, tools, otherTools = [] }) => [
      name,
      new Set([...Object.keys(TOOLS).flatMap((tool) => namesIn(tools, tool)), ...otherTools, ...offered]),
    ]),
  );
  const all = new Set([...byDialect.values()].flatMap((names) => [...names]));
  return { all, of: (dialect) => (dialect === 'anyhook' ? all : (byDialect.get(dialect) ?? all)) };
}
