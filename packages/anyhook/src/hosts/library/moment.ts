/** What a host fires, as an event of the canon: ids and scene filled in, the tool call in our words. */
import { randomUUID } from 'node:crypto';
import type { Fields } from '../../canon/effects.ts';
import type { Event, Ids, Moment, Scene } from '../../canon/event.ts';
import { type EventName, rowOf } from '../../canon/events.ts';
import { type Lexicon, respell } from '../../canon/lexicon.ts';
import type { Outcome } from '../../canon/outcome.ts';

export interface Setting {
  readonly cwd: string;
  readonly lexicon: Lexicon;
}

export function makeEventOf({ cwd, lexicon }: Setting): (moment: Moment) => Event {
  const ids: Ids = { session: randomUUID() };
  const scene: Scene = { cwd };
  const calls = new Set<EventName>();
  return (moment) => {
    const { name, raw } = moment;
    let payload = (moment.payload ?? {}) as Fields;
    let native;
    if (calls.has(name) || (rowOf(name).subject === 'tool' && calls.add(name))) {
      const { tool, input } = payload as { tool?: unknown; input?: unknown };
      const said = lexicon.read(typeof tool === 'string' ? tool : '', isFields(input) ? input : {});
      native = said.native;
      if (said.tool !== tool || said.input !== input)
        payload = { ...payload, tool: said.tool, input: said.input };
    }
    return {
      name,
      payload: payload as Event['payload'],
      ids: moment.ids === undefined ? ids : { ...ids, ...moment.ids },
      scene: moment.scene === undefined ? scene : { ...scene, ...moment.scene },
      ...(raw !== undefined && { raw }),
      ...(native !== undefined && { native }),
      round: 1,
    };
  };
}

/** The outcome in the host's own words again. */
export function inHostWords(outcome: Outcome, event: Event): Outcome {
  const { native } = event;
  if (native === undefined) return outcome;
  const { payload } = outcome;
  if (payload['tool'] === native.tool && Object.keys(native.args).length === 0) return outcome;
  return {
    ...outcome,
    payload: { ...payload, tool: native.tool, input: respell((payload['input'] ?? {}) as Fields, native) },
  };
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
