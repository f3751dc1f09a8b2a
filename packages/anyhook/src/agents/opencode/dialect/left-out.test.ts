/**
 * Compares each field: what OpenCode 1.18.33 passed to its plugins, and what another host passes to them. Intentional
 * omissions are listed, and any other missing field fails.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { isPlain } from '../../../events/changes.ts';
import type { Event } from '../../../events/event.ts';
import { makeLexicon } from '../../../events/lexicon.ts';
import { opencode } from './index.ts';
import { nativeOf } from './payload.ts';
import { tools } from './tools.ts';

const FOLDER = join(import.meta.dirname, 'fixtures/recorded');
const FILES = readdirSync(FOLDER)
  .map((file) => basename(file, '.json'))
  .filter((file) => file !== '_meta');

/** All paths with a value; for a list, those of all its items. */
function places(value: unknown, at = ''): string[] {
  if (Array.isArray(value)) return [...new Set(value.flatMap((one) => places(one, `${at}[]`)))];
  if (!isPlain(value)) return [at];
  return Object.entries(value).flatMap(([key, one]) => places(one, at === '' ? key : `${at}.${key}`));
}

/** Fires the event as another host would: our payload without OpenCode's native data. */
function byAnother(read: Event): Event {
  const { raw: _raw, ...event } = read;
  const { tool, input } = event.payload as { tool?: string; input?: Record<string, unknown> };
  if (tool === undefined || input === undefined) return event as Event;
  const said = makeLexicon([tools]).read(tool, input);
  return { ...event, payload: { ...event.payload, ...said } } as Event;
}

function leftOut(file: string): string[] {
  const recorded = JSON.parse(readFileSync(join(FOLDER, `${file}.json`), 'utf8')) as Record<string, unknown>;
  const isBus = file.startsWith('event.');
  const bus = recorded['event'] ?? (recorded['input'] as { event?: unknown } | undefined)?.event ?? recorded;
  const name = isBus ? 'event' : file.replace(/\.(bash|edit|write|read|task)$/, '');
  const event = opencode.payload.read(
    isBus ? { name, event: bus, directory: '/p' } : { name, ...recorded, directory: '/p' },
  );
  const word = isBus ? `event:${(bus as { type: string }).type}` : name;
  const shown = nativeOf(byAnother(event), word);
  const ours = isBus ? ((shown['input'] as { event?: unknown }).event ?? shown['input']) : shown;
  const there = new Set(places(ours));
  const missing = places(isBus ? bus : { input: recorded['input'], output: recorded['output'] });
  return missing.filter((place) => place !== 'output' && !there.has(place));
}

/**
 * Omitted fields by recording. For the bus: fields that only OpenCode has, or that the host sends with an adjacent
 * event.
 */
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  // A host fires it as `other` with its own fields.
  'event.command.executed': [
    'properties.name',
    'properties.sessionID',
    'properties.arguments',
    'properties.messageID',
  ],
  // A part on the bus has no text, which is sent with the prompt and with `model.text`.
  'event.message.part.updated.text': ['properties.part.text'],
  // The complete call is sent with `tool.execute.before` and `tool.execute.after`.
  'event.message.part.updated.tool-completed': [
    'properties.part.state.input.command',
    'properties.part.state.metadata.output',
    'properties.part.state.metadata.exit',
    'properties.part.state.metadata.truncated',
  ],
  'event.message.updated': ['properties.info.model.providerID', 'properties.info.model.modelID'],
  // Rules for later requests only exist in OpenCode.
  'event.permission.asked': ['properties.patterns[]', 'properties.metadata.command', 'properties.always[]'],
  // Other hosts have no slug, prices or rules per session.
  'event.session.created': [
    'properties.info.slug',
    'properties.info.path',
    'properties.info.permission[].permission',
    'properties.info.permission[].pattern',
    'properties.info.permission[].action',
    'properties.info.cost',
    'properties.info.tokens.input',
    'properties.info.tokens.output',
    'properties.info.tokens.reasoning',
    'properties.info.tokens.cache.read',
    'properties.info.tokens.cache.write',
  ],
};

test.each(FILES)('%s has every field in other hosts, except for intentional omissions', (file) => {
  expect(leftOut(file)).toEqual(LEFT_OUT[file] ?? []);
});
