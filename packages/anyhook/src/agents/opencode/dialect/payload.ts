/** A plugin's hook receives copies of `(input, output)`. A command hook receives arguments with the file name. */

import { isPlain } from '../../../events/changes.ts';
import { copyPlain } from '../../../events/copy.ts';
import type { Fields } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import type { Request } from '../../../events/exchange.ts';
import type { Hook } from '../../../events/hook.ts';
import { busEvent, readBus } from './bus.ts';
import { fileIn, fillCommand } from './command.ts';
import { type CallWord, isConfigWord, isEventWord, OPENCODE_WORDS, eventOfOpenCode } from './names.ts';
import { ROWS } from './rows.ts';

export const payload = { nameKey: 'name', write, read };

function write(event: Event, hook: Hook): Request {
  if (hook.run.kind === 'command') return fillCommand(hook.run, fileIn(event), event.scene.cwd);
  const { input, output } = shownTo(event, hook.on);
  return { kind: 'call', args: copyPlain(output === undefined ? [input] : [input, output]) };
}

/** Returns the arguments for a hook of that name. */
export function shownTo(event: Event, word: string): { readonly input: Fields; readonly output?: Fields } {
  if (isEventWord(word)) return { input: busEvent(event, word) };
  return callRowOf(word)?.write(event.payload as Fields, event) ?? { input: {} };
}
export const callRowOf = (word: string) => (Object.hasOwn(ROWS, word) ? ROWS[word as CallWord] : undefined);

/** Returns all of it in one object, as an agent passes it to a program: `{ name, input, output, directory }`. */
export const nativeOf = (event: Event, word: string): Fields => ({
  name: isEventWord(word) ? 'event' : word,
  ...shownTo(event, word),
  directory: event.scene.cwd,
});

/** Throws a TypeError for an unknown hook of OpenCode. */
function read(native: unknown): Event {
  const payloadFields: Fields = isPlain(native) ? native : {};
  const input: Fields = isPlain(payloadFields['input']) ? payloadFields['input'] : {};
  const bus = [payloadFields['event'], input['event']].find(isPlain);
  const name = String(payloadFields['name'] ?? (bus === undefined ? '' : 'event'));
  const directory = typeof payloadFields['directory'] === 'string' ? payloadFields['directory'] : undefined;
  const shared = { raw: native, round: 1 } as const;
  if (isEventWord(name)) {
    const { cwd = '', ...rest } = readBus(bus ?? { type: name.slice('event:'.length), properties: input });
    return { ...rest, ...shared, scene: { cwd: directory ?? cwd } } as Event;
  }
  const event = eventOfOpenCode(name);
  if (event === undefined)
    throw new TypeError(
      `not an OpenCode hook: ${JSON.stringify(name)}; known are ${OPENCODE_WORDS.join(', ')}`,
    );
  const output: Fields = isPlain(payloadFields['output']) ? payloadFields['output'] : {};
  return {
    name: event,
    // Field by field from the table. Missing fields stay missing.
    payload: (isConfigWord(name)
      ? fromConfigWord(input)
      : callRowOf(name)!.read(input, output)) as Event['payload'],
    ids: idsIn(input, payloadFields),
    scene: sceneIn(input, directory),
    ...shared,
  };
}

const fromConfigWord = ({ file }: Fields): Fields => (typeof file === 'string' ? { file } : {});

function idsIn({ sessionID, callID }: Fields, payloadFields: Fields): Event['ids'] {
  const session = String(sessionID ?? payloadFields['sessionID'] ?? '');
  return { session, ...(typeof callID === 'string' && callID !== '' && { call: callID }) };
}

function sceneIn({ cwd, agent, model }: Fields, directory: string | undefined): Event['scene'] {
  const id = isPlain(model) ? (model['id'] ?? model['modelID']) : undefined;
  return {
    cwd: directory ?? (typeof cwd === 'string' ? cwd : ''),
    ...(typeof agent === 'string' && { agentType: agent }),
    ...(typeof id === 'string' && id !== '' && { model: id }),
  };
}
