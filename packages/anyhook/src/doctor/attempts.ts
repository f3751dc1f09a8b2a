/**
 * Tries many ways of running a command in few agent sessions, because agents take seconds to start. Ways that interfere with
 * each other get separate sessions. If a way shows no result among others, the caller tries it alone.
 */

import type { RouteTrial, Trial } from '../agents/shared/route-trial.ts';
import type { SideRoute } from '../agents/shared/side-routes.ts';
import { SIDE_ROUTES_GUARD } from '../gather/side-routes.ts';
import { playStaged, type StagedAgent } from './stage.ts';

export type WayName = SideRoute | 'plain';
export interface ProbeWay {
  readonly name: WayName;
  readonly trial: Trial;
  /** The event at which the guard refuses. `door` refuses the call that opens the way, so nothing happens on it. */
  readonly guard: 'shell' | 'server' | 'prompt' | 'opener' | 'any';
}
export interface Evidence {
  /** The command ran and left its mark. */
  readonly ran: boolean;
  /** The model requested it. */
  readonly asked: boolean;
  /** The journal has the refusal. */
  readonly denied: boolean;
  readonly isToldApart: boolean;
  /** How the agent ended, in one line. */
  readonly ending: string;
  /** Names and arguments of the tool calls that our hooks received. */
  readonly toolsCalled: readonly string[];
  /** Nothing else was tried in that session. */
  readonly isAlone: boolean;
}

const REASON = 'anyhook doctor: the canary guard says no';
const CANARY = 'canary';
const markOf = ({ name }: ProbeWay): string => (name === 'plain' ? CANARY : `${CANARY}-${name}`);

/** Runs without hooks. A user's command may start a session in a worktree, which then hosts all other attempts. */
export const tryBare = (staged: StagedAgent, ways: readonly ProbeWay[]): Promise<EvidenceByWay> =>
  inSessions(
    staged,
    ways.filter(({ guard }) => guard !== 'opener'),
    () => 'one',
    false,
  );
/** Runs with our bridge and one guard per way. */
export const tryGuarded = (staged: StagedAgent, ways: readonly ProbeWay[]): Promise<EvidenceByWay> =>
  inSessions(
    staged,
    ways,
    ({ prompt, setting }) => prompt ?? (setting === 'worktree' ? setting : 'one'),
    true,
  );

export type EvidenceByWay = ReadonlyMap<WayName, Evidence>;

async function inSessions(
  staged: StagedAgent,
  ways: readonly ProbeWay[],
  kindOf: (trial: RouteTrial) => string,
  isGuarded: boolean,
): Promise<EvidenceByWay> {
  const sessions: Session[] = [];
  for (const way of ways) {
    const trial = way.trial({ command: '', server: ['', ''], task: '', url: '' });
    const session: Session = {
      kind: kindOf(trial),
      ways: [way],
      files: Object.entries(trial.files ?? {}),
      hasOpener: way.guard === 'opener',
    };
    const at = sessions.findIndex((other) => goTogether(other, session));
    if (at === -1) sessions.push(session);
    else sessions[at] = joined(sessions[at]!, session);
  }
  const byWay = new Map<WayName, Evidence>();
  for (const { ways: together } of sessions)
    for (const [name, evidence] of await played(staged, together, isGuarded)) byWay.set(name, evidence);
  return byWay;
}

interface Session {
  readonly kind: string;
  readonly ways: readonly ProbeWay[];
  readonly files: readonly (readonly [name: string, text: string])[];
  /** A refusal of a `door` guard does not name the way. */
  readonly hasOpener: boolean;
}
const goTogether = (a: Session, b: Session): boolean =>
  a.kind === b.kind &&
  !(a.hasOpener && b.hasOpener) &&
  a.files.every(([name, text]) => b.files.every(([other, its]) => name !== other || text === its));
const joined = (a: Session, b: Session): Session => ({
  kind: a.kind,
  ways: [...a.ways, ...b.ways],
  files: [...a.files, ...b.files],
  hasOpener: a.hasOpener || b.hasOpener,
});

const played = (staged: StagedAgent, ways: readonly ProbeWay[], isGuarded: boolean): Promise<EvidenceByWay> =>
  playStaged(
    staged,
    {
      attempts: ways.map((way) => ({ mark: markOf(way), trial: way.trial })),
      ...(isGuarded && { hooks: guardsFor(ways) }),
    },
    ({ has, calls, isDenied, isDeniedToSubagent, ending: said, toolsCalled }) =>
      new Map(
        ways.map((way) => {
          const id = way.guard === 'opener' ? SIDE_ROUTES_GUARD : `#${markOf(way)}`;
          const evidence: Evidence = {
            ran: has(markOf(way)),
            asked: calls > 0,
            denied: isDenied(id),
            isToldApart: isDeniedToSubagent(id),
            ending: said,
            toolsCalled,
            isAlone: ways.length === 1,
          };
          return [way.name, evidence];
        }),
      ),
  );

function guardsFor(ways: readonly ProbeWay[]): Readonly<Record<string, readonly object[]>> {
  const guards = { 'tool.before': [] as object[], 'prompt.submit': [] as object[] };
  for (const way of ways)
    guards[way.guard === 'prompt' ? 'prompt.submit' : 'tool.before'].push({
      name: markOf(way),
      ...matchFor(way),
      run: `echo '${REASON}' >&2; exit 2`,
    });
  return guards;
}

function matchFor(way: ProbeWay): { readonly match?: string } {
  // Uses our common name, whatever the agent calls a server's tool, as users write guards.
  if (way.guard === 'server') return { match: 'mcp__probe__*' };
  if (way.guard === 'prompt' || way.guard === 'any') return {};
  return { match: `shell(touch ${markOf(way)})` };
}
