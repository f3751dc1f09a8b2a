/** Lists the hooks that an event reaches, in order, and why the others do not run. */

import { findDialect } from '../dialects.ts';
import { opaquePolicy } from '../engine/fit.ts';
import { type Hook, isOrganisations } from '../events/hook.ts';
import type { FirePlan } from '../library/explain.ts';
import { brief } from '../render/safe.ts';
import { type Screen, shortPath } from '../render/screen.ts';
import { whatRuns } from '../render/what-runs.ts';
import { wrap } from '../render/wrap.ts';

/** `more` returns further lines for a hook. */
export function planLines(
  { event: { name }, asked, unmatched }: FirePlan,
  hooks: readonly Hook[],
  screen: Screen,
  more: (hook: Hook) => readonly string[] = () => [],
): string[] {
  if (asked.length === 0 && unmatched.length === 0)
    return [`No hook listens to ${name}. To write one with a test: anyhook init`];
  const { paint } = screen;
  const chosen = asked.flatMap(({ hook, as, matches, why, opaque, found }, at) => {
    const state =
      opaque !== undefined
        ? paint('yellow', unjudged(hook))
        : matches
          ? paint('green', 'runs')
          : paint('yellow', 'does not run');
    const fits =
      opaque !== undefined
        ? `the matcher cannot decide: ${brief(opaque, 160)}`
        : hook.matcher === undefined
          ? 'no matcher'
          : `matches ${brief(hook.matcher, Math.max(40, screen.width - 24))}`;
    const isWaiting = hook.run.kind === 'missing' && hook.run.why.kind === 'not-trusted';
    const against = isWaiting ? 'it waits for trust (anyhook trust add)' : brief(why, 200);
    const where = matches && found !== undefined ? [`It found ${brief(found, 200)}`] : [];
    const what = [`${state}: ${matches ? fits : against}`, ...where, ...more(hook)];
    return hookLines(`${at + 1}.`, what, hook, as === name ? '' : as, screen);
  });
  const passed = hooks
    .filter(({ id }) => unmatched.includes(id))
    .flatMap((hook) =>
      hookLines(
        '-',
        [
          `${paint('dim', 'does not match')} ${brief(hook.matcher ?? 'this event', Math.max(40, screen.width - 24))}`,
        ],
        hook,
        '',
        screen,
      ),
    );
  return [...chosen, ...passed];
}

/** What happens if the matcher of a hook cannot decide. */
const unjudged = (hook: Hook): string =>
  ({
    ask: 'asks the user',
    block: 'refuses',
    allow: 'passes',
    run: 'runs',
  })[opaquePolicy(hook, findDialect(hook.dialect)!)]; // hooks are read by known dialects

function hookLines(mark: string, what: readonly string[], hook: Hook, as: string, screen: Screen): string[] {
  const { paint, width } = screen;
  const place = `${shortPath(hook.origin.file, screen)}${hook.origin.file.startsWith('(') ? '' : `:${hook.origin.line}`}`;
  const event = as === '' ? hook.on : `${hook.on} (this agent has no ${as})`;
  return [
    ...what.flatMap((text, at) => wrap(`${(at === 0 ? mark : '').padEnd(3)} ${text}`, width, '    ')),
    `    ${brief(whatRuns(hook), width - 4)}`,
    `    ${paint('dim', `${place} · ${hook.dialect} ${event}${isOrganisations(hook) ? ' · managed' : ''}`)}`,
  ];
}
