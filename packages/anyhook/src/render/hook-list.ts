/** Renders `anyhook list`: every hook under the file that configures it. */

import type { EventName } from '../events/events.ts';
import type { Hook } from '../events/hook.ts';
import { brief } from './safe.ts';
import { type Screen, shortPath } from './screen.ts';
import { whatRuns } from './what-runs.ts';
import { wrap } from './wrap.ts';

export interface ListedHook {
  readonly hook: Hook;
  /** Our events for it; `on` is the agent's name. */
  readonly events: readonly EventName[];
  readonly trust: 'yours' | 'trusted' | 'waits' | 'built in';
  readonly onFailure: string;
  /** The event at which the hook runs instead, if the host lacks its event. */
  readonly at?: string;
  /** Why it does not run in the requested agent. */
  readonly cannotRun?: string;
  /** Why its inline code may load modules of the project. */
  readonly loads?: string;
  /** Last run, from the journal. */
  readonly lastRun?: { readonly at: string; readonly said: string; readonly hint?: string };
}

export function hookList(listed: readonly ListedHook[], screen: Screen): string[] {
  return [...grouped(listed).values()].flatMap((group, i) => [
    ...(i === 0 ? [] : ['']),
    ...wrap(head(group[0]!, screen), screen.width, '    '),
    ...group.flatMap((one) => entry(one, screen)),
  ]);
}

const fileOf = ({ hook }: ListedHook): string =>
  `${hook.origin.file}\0${hook.dialect}\0${hook.origin.plugin?.name ?? ''}`;
function grouped(listed: readonly ListedHook[]): Map<string, ListedHook[]> {
  const groups = new Map<string, ListedHook[]>();
  for (const one of listed) groups.set(fileOf(one), [...(groups.get(fileOf(one)) ?? []), one]);
  return groups;
}

const OWNER: Readonly<Record<Hook['origin']['layer'], string>> = {
  managed: 'managed',
  user: 'yours',
  project: 'the project’s',
  session: 'the program’s',
};

function head({ hook, trust }: ListedHook, screen: Screen): string {
  const { paint } = screen;
  if (trust === 'built in') return paint('bold', 'built in');
  const { plugin } = hook.origin;
  const by = plugin === undefined ? '' : `, plugin ${brief(plugin.name, 60)}`;
  const whose = `${hook.dialect}${by}, ${OWNER[hook.origin.layer]}`;
  return `${paint('bold', shortPath(hook.origin.file, screen))}  ${paint('dim', whose)}`;
}

/** Renders the conditions and facts of a hook, and its command on the next line. */
function entry(
  { hook, events, trust, onFailure, at, cannotRun, loads, lastRun }: ListedHook,
  { paint, width }: Screen,
): string[] {
  const place = (trust === 'built in' ? '' : String(hook.origin.line)).padStart(4);
  const matcher = hook.matcher === undefined ? [] : [brief(hook.matcher, 60)];
  const facts = [
    ...(trust === 'waits' ? [paint('yellow', 'waits for trust')] : []),
    ...(hook.run.kind === 'missing' && trust !== 'waits'
      ? [paint('red', `broken: ${hook.run.why.kind}`)]
      : []),
    ...(hook.background ? ['in the background'] : []),
    ...(hook.exception !== undefined
      ? [paint('yellow', `not enforced for ${brief(hook.exception, 80)}`)]
      : hook.shadow
        ? [paint('yellow', 'shadow')]
        : []),
    ...(hook.sticky === false ? ['does not remember its refusals'] : []),
    ...(at === undefined ? [] : [`fired at ${at}`]),
    ...(cannotRun === undefined ? [] : [paint('yellow', cannotRun)]),
    ...(loads === undefined ? [] : [paint('yellow', 'may load code of the project: anyhook doctor')]),
    ...(hook.also === undefined
      ? []
      : [`also in ${hook.also.length} other ${hook.also.length === 1 ? 'place' : 'places'}`]),
    paint('dim', `if it breaks: ${onFailure}`),
    ...(lastRun === undefined
      ? []
      : [paint('dim', `last run ${lastRun.at.slice(0, 16).replace('T', ' ')}: ${lastRun.said}`)]),
  ];
  const own = events.length === 1 && events[0] === hook.on ? [] : [paint('dim', `(${hook.on})`)];
  const when = [[paint('cyan', events.join(', ')), ...own, ...matcher].join(' '), ...facts].join(' · ');
  const hint = lastRun?.hint;
  return [
    ...wrap(`${place}  ${when}`, width, '      '),
    `      ${brief(whatRuns(hook), width - 6)}`,
    ...(hint === undefined ? [] : wrap(`      ${paint('yellow', 'warning')}: ${hint}`, width, '      ')),
  ];
}
