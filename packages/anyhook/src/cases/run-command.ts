import { OWN_MATCH_ANY, readMatcher } from '../agents/anyhook/dialect/match.ts';
import { DIALECTS, toolColumns } from '../dialects.ts';
import { makeEngine } from '../engine/engine.ts';
import type { Event } from '../events/event.ts';
import type { CommandRequest } from '../events/exchange.ts';
import type { Hook, WayOf } from '../events/hook.ts';
import { makeLexicon } from '../events/lexicon.ts';
import { silentOutcome } from '../events/outcome.ts';
import { rolesOn } from '../events/roles.ts';
import { makeEventOf } from '../library/event-of.ts';
import { sharedCommands } from '../runs/shared-commands.ts';
import type { HostOutcome } from './settle.ts';
import type { SuiteCase, Subject } from './suite.ts';

const TIMEOUT_MS = 60_000;

/** Runs one script as a hook of each dialect, with the payload and answer format of that dialect. */
export async function runCommandCase(
  { event: name, payload }: SuiteCase,
  { line, as, match }: Extract<Subject, { kind: 'command' }>,
  cwd: string,
): Promise<HostOutcome[]> {
  const commands = sharedCommands();
  const eventOf = makeEventOf({ cwd, lexicon: makeLexicon(toolColumns()) });
  const event: Event = eventOf({ name, payload: payload as never }); // the payload of a case is not type-checked
  const run: WayOf<'command'> = { kind: 'command', run: { line }, env: 'inherit' };
  const judged: HostOutcome[] = [];
  for (const dialect of DIALECTS.filter((one) => as.includes(one.name))) {
    const [on] = dialect.words[name] ?? [];
    const hook: Hook = {
      id: `${dialect.name}:${line}`,
      dialect: dialect.name,
      on: on ?? '',
      origin: { layer: 'session', file: '(case)', line: 1 },
      roles: rolesOn(name),
      ...(match === undefined ? OWN_MATCH_ANY : readMatcher(match, name).matcher!), // checked with the file
      run,
      background: false,
      shadow: false,
      timeoutMs: TIMEOUT_MS,
    };
    const engine = makeEngine({
      dialects: [dialect],
      hooks: on === undefined ? [] : [hook],
      services: {},
      run: (_, request, limit) => commands.run(run, request as CommandRequest, limit), // a command hook's request
    });
    judged.push({ host: dialect.name, outcome: (await engine.fire(event)) ?? silentOutcome(event) });
  }
  return judged;
}
