/** `hooks` of Opta's config.json; its other keys are none of our business. */
import {
  anyText,
  check,
  type Checked,
  flag,
  object,
  oneOf,
  type Shape,
  type Spot,
  spotAt,
  text,
} from '../../canon/checker.ts';
import type { ConfigRead, Ground, Place } from '../../canon/dialect.ts';
import { type Document, readDocument } from '../../canon/document.ts';
import type { Hook } from '../../canon/hook.ts';
import type { Problem } from '../../canon/problems.ts';
import { hookFrom, LONGEST, missingHook, type OptaEntry, SHORTEST, TOOL_EVENTS } from './definition.ts';
import { OPTA_EVENTS } from './names.ts';
import { places } from './places.ts';

export const config = { places: (ground: Ground) => places(ground), read };

/** Fractions are fine; the document's limits are not to be passed. */
const milliseconds: Shape<number> = (spot) => {
  const { value } = spot;
  if (typeof value === 'number' && value >= SHORTEST && value <= LONGEST) return value;
  const message = typeof value === 'number' ? `is ${value}` : 'is no number';
  spot.say(typeof value === 'number' ? 'bad-value' : 'wrong-type', message, {
    remedy: `Write milliseconds from ${SHORTEST} to ${LONGEST}; the default is used meanwhile.`,
    severity: 'warning',
  });
  return undefined;
};
const entryShape = object(
  {
    event: oneOf(OPTA_EVENTS),
    command: anyText,
    matcher: anyText,
    timeout: milliseconds,
    background: flag,
    type: oneOf(['command', 'prompt']),
    prompt: text,
    protocol: oneOf(['json']),
    statusMessage: anyText,
    onFailure: oneOf(['allow', 'ask', 'block']),
  },
  'warning',
);

function read(source: string, place: Place): ConfigRead {
  const document = readDocument(source, place.file);
  if (document.value === undefined) return { hooks: [], modules: [], problems: document.problems };
  const problems: Problem[] = [...document.problems];
  const list = listOf(spotAt(document, [], problems), problems, document);
  const hooks = list.flatMap((_, index) => entryAt(document, place, index, problems));
  return { hooks, modules: [], problems };
}

function listOf(root: Spot, problems: Problem[], document: Document): readonly unknown[] {
  if (typeof root.value !== 'object' || root.value === null || Array.isArray(root.value)) {
    root.say('wrong-type', 'is no object', {
      remedy: 'Opta settings are a JSON object with a list under "hooks".',
    });
    return [];
  }
  const hooks = root.part('hooks');
  if (hooks.value === undefined) return [];
  if (Array.isArray(hooks.value)) return hooks.value;
  spotAt(document, ['hooks'], problems).say('wrong-type', 'is no list', { remedy: 'Write "hooks": [ … ].' });
  return [];
}

function entryAt(document: Document, place: Place, index: number, problems: Problem[]): Hook[] {
  const path = ['hooks', index];
  const line = document.at(path).line;
  const read = check(document, path, entryShape) as Checked<Partial<OptaEntry>>;
  const own: Problem[] = [...read.problems];
  const { event } = read.value ?? {};
  if (read.value !== undefined) objections(read.value, spotAt(document, path, own));
  const entry = read.value as OptaEntry;
  const faults = own.filter(({ severity }) => severity === 'error');
  const hooks = faults.length === 0 ? built(entry, place, index, line, spotAt(document, path, own)) : [];
  problems.push(...own);
  const broken = own.find(({ severity }) => severity === 'error');
  if (broken === undefined || event !== 'tool.pre') return hooks;
  const why = { kind: 'not-loaded', detail: `${broken.key ?? ''} ${broken.message}`.trim() } as const;
  return [missingHook(event, place, index, line, why)];
}

/** What no single field shows. */
function objections({ event, command, matcher, type, prompt }: Partial<OptaEntry>, spot: Spot): void {
  const value = spot.value as Record<string, unknown>;
  if (event === undefined && value['event'] === undefined)
    spot.say('bad-value', 'has no event', { remedy: `Name one of ${OPTA_EVENTS.join(', ')}.` });
  if (type === 'prompt' && prompt === undefined && value['prompt'] === undefined)
    spot.say('bad-value', 'is a prompt hook without a prompt', {
      remedy: 'Write what the model shall judge.',
    });
  if (type !== 'prompt' && command === undefined && value['command'] === undefined)
    spot.say('bad-value', 'has no command', { remedy: 'Write the shell command to run.' });
  if (matcher !== undefined && event !== undefined && !TOOL_EVENTS.has(event))
    spot
      .part('matcher')
      .say('matcher-unused', `${event} has no tool that a matcher could fit: the hook never runs`, {
        remedy: 'Leave the matcher out.',
        severity: 'warning',
      });
}

function built(entry: OptaEntry, place: Place, index: number, line: number, spot: Spot): Hook[] {
  try {
    return [hookFrom(entry, place, index, line)];
  } catch (error) {
    const remedy = 'Write a regular expression for the tool name.';
    spot
      .part('matcher')
      .say('bad-matcher', `${JSON.stringify(entry.matcher)}: ${(error as Error).message}`, { remedy });
    return [];
  }
}
