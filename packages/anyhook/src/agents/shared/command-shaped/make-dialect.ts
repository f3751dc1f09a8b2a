/** A dialect, made of what sets its agent apart. */
import type { ConfigRead, Dialect, OwnSwitch, Place } from '../../../events/dialect.ts';
import type { OnFailure } from '../../../events/hook.ts';
import type { PackTerms } from '../../../events/pack.ts';
import { readGroups } from '../claude-shaped/read-groups.ts';
import { packPlaceFor, withPackPaths } from '../claude-shaped/pack-place.ts';
import { sharing } from '../claude-shaped/together.ts';
import { wordsByMoment } from '../claude-shaped/words.ts';
import { commandHookOf, type ShapedEntry } from './command-hook-of.ts';
import { payloadFor } from './payload.ts';
import { readerOf } from './read-reply.ts';
import { eventsOf, type ShapedTerms } from './terms.ts';
import { writerOf } from './write-reply.ts';

/** Where a file keeps its entries, if not as Claude Code does. */
export type ReadFile = (text: string, place: Place, make: MakeHook) => ConfigRead;
export type MakeHook = (
  entry: ShapedEntry,
  place: Place,
  at: { readonly line: number; readonly column: number },
) => ConfigRead['hooks'][number];

/** Whatever goes wrong with a hook, the action goes on: so do these agents. */
const failure = (): OnFailure => 'allow';

export function makeShaped<const Name extends string>(
  terms: ShapedTerms<Name>,
  own: {
    readonly readFile?: ReadFile;
    readonly failure?: Dialect['failure'];
    /** How an entry says that its own failure refuses. */
    readonly failsClosed?: string;
    /** How its published hooks are known, and the variables that name a plugin's folder. */
    readonly packs?: PackTerms;
    readonly pluginVariables?: readonly string[];
    /** The key under which its files switch hooks off, and how. */
    readonly switches?: OwnSwitch & {
      readonly settings: string;
      readonly settle: NonNullable<Dialect['config']['settle']>;
    };
  } = {},
): Dialect<Name> {
  const words = Object.keys(terms.events);
  const { fieldsOf, ...payload } = payloadFor(terms);
  const make = commandHookOf(terms, fieldsOf);
  const { readFile, switches } = own;
  return {
    name: terms.name,
    words: wordsByMoment(words, (word) => eventsOf(terms.events[word]!)),
    tools: terms.tools,
    otherTools: terms.otherTools,
    ...(terms.projectVariable !== undefined && { projectVariable: terms.projectVariable }),
    sharing,
    failure: own.failure ?? failure,
    can: terms.can,
    config: {
      entry: {
        matcher: { key: 'matcher', in: readFile === undefined ? 'group' : 'entry' },
        timeout: { key: 'timeout', unit: terms.entry?.timeout?.unit ?? 's' },
        failsClosed: own.failsClosed ?? null,
      },
      ...(switches && {
        ownSwitch: { list: switches.list, nameOf: switches.nameOf },
        settle: switches.settle,
      }),
      places: terms.places,
      ...(own.packs && { packPlace: packPlaceFor({ root: own.pluginVariables ?? [] }) }),
      read: (source, place) => {
        const text = withPackPaths(source, place);
        return readFile === undefined
          ? readGroups(text, place, {
              words,
              remedy: `Settings of ${terms.shown} are a JSON object.`,
              ...(switches && { settings: switches.settings }),
              hookOf: (grouped, where, at) => make(grouped, where, at),
            })
          : readFile(text, place, make);
      },
    },
    payload,
    ...(own.packs && { packs: own.packs }),
    output: { read: readerOf(terms), write: writerOf(terms) },
  };
}
