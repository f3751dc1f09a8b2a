/** Formats the findings of doctor for terminals. */

import type { Agent } from '../agents/shared/agent.ts';
import { CELLS } from '../agents/shared/cells.ts';
import { SIDE_ROUTES } from '../agents/shared/side-routes.ts';
import { sentence, sentences } from '../events/problems.ts';
import { adviceLines } from '../render/advice.ts';
import { localTime } from '../render/local-time.ts';
import type { Style } from '../render/paint.ts';
import { safe } from '../render/safe.ts';
import { type Screen, shortPath } from '../render/screen.ts';
import { wrap } from '../render/wrap.ts';
import { isNewerThanSeen } from './look/bridge-proof.ts';
import type { DoctorFinding } from './look/finding.ts';
import type { EventTravel } from './look/travel.ts';
import type { HostSheet } from './look/where-it-runs.ts';
import type { ProbeResult, RouteResult } from './probe.ts';
import type { GuardResult } from './written-guards.ts';

export function hostLines(hosts: readonly HostSheet[], known: readonly Agent[], screen: Screen): string[] {
  const { paint } = screen;
  if (hosts.length === 0)
    return wrap(
      'No supported agent found, so no agent runs these hooks. To install for one that comes later: anyhook install <agent>',
      screen.width,
    );
  return [
    paint('bold', 'Agents'),
    ...hosts.flatMap((host) =>
      hostEntry(
        host,
        known.find(({ name }) => name === host.agent),
        screen,
      ),
    ),
  ];
}

const WAYS: Readonly<Record<EventTravel['by'], string>> = {
  daemon: 'the daemon answers',
  program: 'anyhook is started for it',
  agent: 'the agent has loaded anyhook',
};

function hostEntry(
  {
    program,
    file,
    version,
    why,
    others = [],
    bridge,
    lastCall,
    travel,
    natively,
    bridged,
    withoutJudge,
    moved,
  }: HostSheet,
  agent: Agent | undefined,
  screen: Screen,
): string[] {
  const { paint, width } = screen;
  const name = agent?.shown ?? program;
  const versionText = version ?? paint('yellow', `version unknown: ${safe(why ?? '')}`);
  const runs = [
    `${counted(natively.length)} by itself`,
    bridge.length === 0 ? 'none of the others: no bridge' : `${counted(bridged.length)} through our bridge`,
  ].join(', ');
  const places = bridge.map((entry) => `${shortPath(entry.file, screen)} (${entry.scope})`).join(', ');
  const facts = [
    ...others.map(
      (other) => `another one is at ${shortPath(other.file, screen)}: ${other.version ?? other.why ?? ''}`,
    ),
    `runs ${runs}`,
    ...(places === '' ? [] : [`bridge: ${places}`, lastCallText(lastCall)]),
    ...(travel === undefined
      ? []
      : [`an event takes ${travel.ms} ms and what hooks take: ${WAYS[travel.by]} (${travel.why})`]),
    ...(withoutJudge.length === 0
      ? []
      : [`${counted(withoutJudge.length)} cannot decide there: they ask a model, and bridges have none`]),
    ...moved.map(({ from, to, instead, hooks }) =>
      instead !== undefined
        ? `it has no ${from}: ${counted(hooks)} called at ${instead}`
        : to.length === 0
          ? `it has no ${from} and nothing near it: ${counted(hooks)} never asked there`
          : `it has no ${from}: ${counted(hooks)} fired at ${to.join(', ')}`,
    ),
    ...(places === '' && agent !== undefined ? [`to reach it: anyhook install ${agent.name}`] : []),
    ...(agent === undefined ? ['it has no bridge yet'] : []),
    ...(agent === undefined ? [] : unseenFacts(agent, version)),
    ...(agent !== undefined && places !== '' ? [`if anyhook is missing or too slow: ${agent.failure}`] : []),
  ];
  return [
    `  ${paint('cyan', name)} ${versionText}  ${paint('dim', shortPath(file, screen))}`,
    ...facts.flatMap((fact) => wrap(`      ${safe(fact)}`, width, '      ')),
  ];
}

const lastCallText = (call: HostSheet['lastCall']): string =>
  call === undefined
    ? 'the bridge has not been called yet'
    : `the bridge was last called: ${localTime(call.atMs)}${call.version === undefined ? '' : `, by version ${call.version}`}`;

/** Facts known of other versions are only likely for this one. */
function unseenFacts({ name, seen }: Agent, version: string | undefined): string[] {
  const measured = seen.map((entry) => entry.version);
  if (version === undefined || measured.includes(version)) return [];
  const what =
    measured.length === 0
      ? 'no version of it was measured'
      : isNewerThanSeen(version, seen)
        ? `newer than any that was measured (${measured.join(', ')})`
        : `measured was ${measured.join(', ')}`;
  return [`${what}; to try yours: anyhook doctor --probe ${name}`];
}
const counted = (count: number): string => `${count} ${count === 1 ? 'hook' : 'hooks'}`;

const COLOUR: Readonly<Record<DoctorFinding['severity'], Style>> = {
  error: 'red',
  warning: 'yellow',
  note: 'dim',
};

export function findingLines(findings: readonly DoctorFinding[], screen: Screen): string[] {
  const { paint } = screen;
  if (findings.length === 0) return [paint('green', 'Nothing is wrong.')];
  return findings.flatMap(({ severity, file, line, column, what, why, remedy, code }) => {
    const place =
      file === undefined
        ? ''
        : [shortPath(file, screen), line, column].filter((part) => part !== undefined).join(':');
    const text = remedy === undefined ? sentences([what, why]) : sentence(sentences([what, why]));
    return [`${paint(COLOUR[severity], severity)}  ${place}`, ...adviceLines(text, { code, remedy }, screen)];
  });
}

const VERDICTS: Readonly<Record<ProbeResult['verdict'], readonly [Style, string]>> = {
  enforced: ['green', 'enforced'],
  'not-enforced': ['red', 'NOT enforced'],
  'could-not-run': ['yellow', 'could not run'],
};

const ROUTE_VERDICTS: Readonly<Record<RouteResult['verdict'], string>> = {
  asked: 'enforced',
  shut: 'shut',
  open: 'OPEN',
  'not-tried': 'not tried',
};

const GUARD_VERDICTS: Readonly<Record<GuardResult['verdict'], string>> = {
  holds: 'holds',
  passes: 'DOES NOT HOLD',
  'not-tried': 'not tried',
};

export function probeLines(
  probed: readonly ProbeResult[],
  known: readonly Agent[],
  { paint, width }: Screen,
): string[] {
  if (probed.length === 0)
    return wrap(
      'Nothing to probe: no agent here has our bridge. To try one all the same: anyhook doctor --probe <agent>',
      width,
    );
  return [
    paint('bold', 'Probe'),
    ...probed.flatMap(({ agent, verdict, why, routes, measured, guards = [] }) => {
      const [colour, word] = VERDICTS[verdict];
      const shown = known.find(({ name }) => name === agent)?.shown ?? agent;
      return [
        ...wrap(`  ${shown}: ${paint(colour, word)}: ${safe(why)}`, width, '      '),
        ...routes.flatMap((one) =>
          wrap(
            `    ${SIDE_ROUTES[one.route]}: ${ROUTE_VERDICTS[one.verdict]}: ${safe(one.why)}`,
            width,
            '        ',
          ),
        ),
        ...guards.flatMap((one) =>
          wrap(
            `    a guard for ${one.match}: ${GUARD_VERDICTS[one.verdict]}: ${safe(one.why)}`,
            width,
            '        ',
          ),
        ),
        ...(measured === undefined
          ? []
          : [
              '    measured, and kept:',
              ...CELLS.map((cell) => `      ${cell}: ${measured[cell] ? 'yes' : 'no'}`),
            ]),
      ];
    }),
  ];
}
