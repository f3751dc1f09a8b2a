/** Creates a hook from a handler and the matcher of its group. Invalid ones stay and fail by their policy. */

import { anyText, type Spot } from '../../../events/checker.ts';
import type { Place } from '../../../events/dialect.ts';
import type { Event } from '../../../events/event.ts';
import type { Hook, OnFailure, Role, Way } from '../../../events/hook.ts';
import { onlyWatches, rolesOn } from '../../../events/roles.ts';
import { type ClaudeHandler, readDefinition } from './definition.ts';
import type { ClaudeEvent } from './event-row.ts';
import { type ClaudeWord, claudeEvent } from './events.ts';
import { type ClaudeMatcher, readMatcher } from './matcher.ts';
import { readRule } from './permission-rule.ts';
import { timeoutOf } from './timeout.ts';
import { wayOf } from './way.ts';

export interface ClaudeEntryPlace {
  readonly word: ClaudeWord;
  readonly place: Place;
  readonly matcher: Spot;
  readonly id: string;
  readonly line: number;
  readonly column: number;
}

export function readClaudeEntry(spot: Spot, entryPlace: ClaudeEntryPlace): Hook {
  const { word, place } = entryPlace;
  let fault: string | undefined;
  const watched = listening(spot, (message) => (fault ??= message));
  const matcher = matcherOf(
    listening(entryPlace.matcher, (message) => (fault ??= message)),
    word,
  );
  const handler = readDefinition(watched, claudeEvent(word).types, word);
  const rule = handler?.if === undefined ? undefined : ruleOf(watched.part('if'), handler.if, word);
  const way = handler === undefined ? undefined : wayOf(handler, place, watched);
  const isLate = handler?.async === true || handler?.asyncRewake === true;
  const onFailure = handler === undefined ? undefined : policyOf(watched, handler, word, isLate);
  const run: Way =
    fault === undefined && way !== undefined
      ? way
      : { kind: 'missing', why: { kind: 'not-loaded', detail: fault ?? 'it is not a handler' } };
  return {
    id: entryPlace.id,
    dialect: 'claude-code',
    on: word,
    origin: {
      layer: place.layer,
      file: place.file,
      line: entryPlace.line,
      column: entryPlace.column,
      ...(place.plugin && { plugin: place.plugin }),
    },
    roles: isLate ? ['observer'] : rolesFor(word),
    ...joined(matcher, rule),
    ...(typeof entryPlace.matcher.value === 'string' && {
      matcher: shownMatcher(entryPlace.matcher.value, handler),
    }),
    ...(handler !== undefined && { label: labelOf(handler) }),
    run,
    background: isLate && run.kind !== 'missing',
    shadow: false,
    timeoutMs: timeoutOf(word, handler?.type ?? 'command', handler?.timeout),
    ...(onFailure !== undefined && { onFailure }),
    ...(handler?.statusMessage !== undefined && { status: handler.statusMessage }),
    ...extraOf(handler),
  };
}

/** Returns the same spot, and passes every error reported there to `hear`. */
function listening(spot: Spot, hear: (message: string) => void): Spot {
  return {
    value: spot.value,
    path: spot.path,
    part: (key) => listening(spot.part(key), hear),
    report(code, message, more) {
      if (more?.severity !== 'warning') hear(message);
      spot.report(code, message, more);
    },
  };
}

function matcherOf(spot: Spot, word: ClaudeWord): ClaudeMatcher {
  const none = () => readMatcher(undefined, word).matcher;
  if (spot.value === undefined) return none();
  const source = anyText(spot);
  if (source === undefined) return none();
  try {
    const { matcher, doubt } = readMatcher(source, word);
    if (doubt !== undefined)
      spot.report(claudeEvent(word).matcher === null ? 'matcher-unused' : 'bad-matcher', doubt.message, {
        remedy: doubt.remedy,
        severity: 'warning',
      });
    return matcher;
  } catch (error) {
    spot.report('bad-matcher', `${JSON.stringify(source)}: ${(error as Error).message}`, {
      remedy: 'Write names with | between them, or a regular expression.',
    });
    return none();
  }
}

type Rule = (event: Event) => boolean;

/** Claude Code never runs a hook with `if` on an event without `if` support. We do the same and report it. */
function ruleOf(spot: Spot, source: string, word: ClaudeWord): Rule | undefined {
  if (claudeEvent(word).takesIf !== true) {
    spot.report('bad-value', `"if" is for tool events: on ${word} the hook never runs`, {
      at: 'key',
      remedy: 'Take it away.',
      severity: 'warning',
    });
    return () => false;
  }
  try {
    return readRule(source);
  } catch (error) {
    spot.report('bad-value', (error as Error).message, {
      remedy: 'Write one permission rule, such as "Bash(git *)" or "Edit(src/**)".',
    });
    return undefined;
  }
}

function joined({ match, when }: ClaudeMatcher, rule: Rule | undefined): ClaudeMatcher {
  const tests = [when, rule].filter((test) => test !== undefined);
  return tests.length === 0 ? { match } : { match, when: (event) => tests.every((test) => test(event)) };
}

const WITHOUT_POLICY: ReadonlySet<string> = new Set([
  'Stop',
  'SubagentStop',
  'TaskCompleted',
  'TeammateIdle',
]);
const BLOCKS: ReadonlySet<ClaudeEvent['block']> = new Set(['deny', 'cancel', 'halt']);

/** `block` acts like exit 2, so it has no effect where exit 2 has none. */
function policyOf(
  spot: Spot,
  { onFailure }: ClaudeHandler,
  word: ClaudeWord,
  isLate: boolean,
): OnFailure | undefined {
  if (onFailure === undefined) return undefined;
  const why = isLate
    ? 'Claude Code does not wait for an async hook'
    : WITHOUT_POLICY.has(word)
      ? `${word} ignores it`
      : onFailure === 'block' && !BLOCKS.has(claudeEvent(word).block)
        ? `nothing can be blocked on ${word}`
        : undefined;
  if (why === undefined) return onFailure === 'block' ? 'block' : 'allow';
  spot
    .part('onFailure')
    .report('bad-value', `has no effect here: ${why}`, { at: 'key', severity: 'warning' });
  return undefined;
}

/** Roles of a hook on a native event depend on its answer fields; on common events the usual rule applies. */
function rolesFor(word: ClaudeWord): readonly Role[] {
  const { on, block, fields, envFile }: ClaudeEvent = claudeEvent(word);
  if (on !== 'other') {
    const roles = rolesOn(on);
    return envFile === true && onlyWatches(roles) ? ['mutator'] : roles; // it sets variables for later commands
  }
  // The hook creates the worktree, so running it twice would create two.
  if (fields.includes('worktreePath')) return ['mutator'];
  const isGuard = block !== 'nothing' && block !== 'tell-person';
  if (isGuard) return fields.includes('action') ? ['guard', 'mutator'] : ['guard'];
  return envFile === true || fields.some((field) => field !== 'additionalContext')
    ? ['mutator']
    : ['observer'];
}

function labelOf({ type, command, args, url, server, tool, prompt }: ClaudeHandler): string {
  const label = {
    command: [command, ...(args ?? [])].join(' '),
    http: url,
    mcp_tool: `${server}:${tool}`,
    prompt,
    agent: prompt,
  }[type];
  return (label ?? type).slice(0, 200);
}
const shownMatcher = (matcher: string, handler: ClaudeHandler | undefined): string =>
  handler?.if === undefined ? matcher : `${matcher} if ${handler.if}`;

function extraOf(handler: ClaudeHandler | undefined): Pick<Hook, 'extra'> {
  const { type, asyncRewake, rewakeMessage, rewakeSummary, continueOnBlock, if: rule } = handler ?? {};
  const extra = {
    ...(rule !== undefined && { if: rule }),
    ...(asyncRewake === true && {
      asyncRewake,
      ...(rewakeMessage !== undefined && { rewakeMessage }),
      ...(rewakeSummary !== undefined && { rewakeSummary }),
    }),
    ...((continueOnBlock === true || type === 'agent') && { continueOnBlock: true }),
    ...(type === 'agent' && { agent: true }),
  };
  return Object.keys(extra).length === 0 ? {} : { extra };
}
