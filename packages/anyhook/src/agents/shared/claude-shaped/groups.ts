/** `{ "hooks": { "<Event>": [{ "matcher", "hooks": [ … ] }] } }`: the shape that the files of several agents share. */
import { pathText, shown, type Spot, suggestion } from '../../../events/checker.ts';
import { isFields } from '../../../events/fields.ts';

export interface GroupedHandler {
  readonly word: string;
  readonly group: Spot;
  readonly matcher: Spot;
  readonly handler: Spot;
  /** Unlike any other of the file. */
  readonly place: string;
}

/** Every handler with what stands around it. What has the wrong shape is said at its place, the rest is kept. */
export function groupsIn(hooks: Spot, words: readonly string[]): GroupedHandler[] {
  if (hooks.value === undefined) return [];
  if (!isFields(hooks.value)) {
    hooks.say('wrong-type', `is ${shown(hooks.value)}`, {
      remedy: `Write "hooks": { "${words[0]}": [ … ] }.`,
    });
    return [];
  }
  return Object.keys(hooks.value).flatMap((word) => {
    if (words.includes(word)) return handlersIn(hooks.part(word), word);
    hooks.part(word).say('unknown-event', `unknown event ${shown(word)}`, {
      at: 'key',
      remedy: `${suggestion(word, words)} Its hooks do not run.`,
    });
    return [];
  });
}

function handlersIn(spot: Spot, word: string): GroupedHandler[] {
  return itemsOf(spot, 'Write a list of { "matcher", "hooks" }.').flatMap((group, nth) => {
    if (!isFields(group.value)) {
      group.say('wrong-type', `is ${shown(group.value)}`, {
        remedy: 'Write { "matcher": …, "hooks": [ … ] }.',
      });
      return [];
    }
    return itemsOf(group.part('hooks'), 'Put the handlers into "hooks": [ … ].').map((handler, index) => ({
      word,
      group,
      matcher: group.part('matcher'),
      handler,
      place: pathText([word, nth, index]),
    }));
  });
}

function itemsOf(spot: Spot, remedy: string): Spot[] {
  if (!Array.isArray(spot.value)) {
    spot.say('wrong-type', `is ${shown(spot.value)}`, { remedy });
    return [];
  }
  return spot.value.map((_, index) => spot.part(index));
}
