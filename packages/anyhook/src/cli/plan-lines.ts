/** Which hooks an event would reach, in which order, and why or why not: as a person is shown it. */
import { findDialect } from '../dialects.ts';
import { type Hook, isOrganisations } from '../events/hook.ts';
import { opaquePolicy } from '../engine/fit.ts';
import { brief } from '../render/safe.ts';
import { type Screen, shortPath } from '../render/screen.ts';
import { whatRuns } from '../render/what-runs.ts';
import { wrap } from '../render/wrap.ts';
import type { FirePlan } from '../library/explain.ts';

/** `more`: what else is known of a hook, a line each. */
export function planLines(
  { event: { name }, asked, unmatched }: FirePlan,
  hooks: readonly Hook[],
  screen: Screen,
  more: (hook: Hook) => readonly string[] = () => [],
): string[] {
  if (asked.length === 0 && unmatched.length === 0)
    return [`Nobody listens to ${name}. A first hook, with a test: anyhook init`];
  const { paint } = screen;
  const chosen = asked.flatMap(({ hook, as, matches, why, opaque }, at) => {
    const state =
      opaque !== undefined
        ? paint('yellow', unjudged(hook))
        : matches
          ? paint('green', 'would be asked')
          : paint('yellow', 'would not run');
    const fits =
      opaque !== undefined
        ? `could not be judged: ${brief(opaque, 160)}`
        : hook.matcher === undefined
          ? 'about everything'
          : `matches ${brief(hook.matcher, 40)}`;
    const isWaiting = hook.run.kind === 'missing' && hook.run.why.kind === 'not-trusted';
    const against = isWaiting ? 'it waits for trust' : brief(why, 200);
    const what = [`${state}: ${matches ? fits : against}`, ...more(hook)];
    return told(`${at + 1}.`, what, hook, as === name ? '' : as, screen);
  });
  const passed = hooks
    .filter(({ id }) => unmatched.includes(id))
    .flatMap((hook) =>
      told(
        '-',
        [`${paint('dim', 'does not match')}: wants ${brief(hook.matcher ?? '?', 40)}`],
        hook,
        '',
        screen,
      ),
    );
  return [...chosen, ...passed];
}

/** What becomes of a hook whose matcher cannot tell. */
const unjudged = (hook: Hook): string =>
  ({
    ask: 'the person would be asked',
    block: 'would be refused',
    allow: 'would pass',
    run: 'would be asked',
  })[opaquePolicy(hook, findDialect(hook.dialect)!)]; // hooks are read by dialects of the one list

function told(mark: string, what: readonly string[], hook: Hook, as: string, screen: Screen): string[] {
  const { paint, width } = screen;
  const place = `${shortPath(hook.origin.file, screen)}${hook.origin.file.startsWith('(') ? '' : `:${hook.origin.line}`}`;
  const event = as === '' ? hook.on : `${hook.on}, fired here for want of ${as}`;
  return [
    ...what.flatMap((text, at) => wrap(`${(at === 0 ? mark : '').padEnd(3)} ${text}`, width, '    ')),
    `    ${brief(whatRuns(hook), width - 4)}`,
    `    ${paint('dim', `${place} · ${hook.dialect} ${event}${isOrganisations(hook) ? ' · managed' : ''}`)}`,
  ];
}
