/** `hooks.json`: text to hooks, modules, settings, and what is wrong with it. A broken guard does not vanish. */
import { dirname, resolve } from 'node:path';
import {
  anything,
  checkShape,
  filledText,
  flag,
  listOf,
  object,
  oneOf,
  record,
  sayUnknown,
  shown,
  type Spot,
  spotAt,
  text,
  whole,
} from '../../../events/checker.ts';
import type { ConfigRead, NamedModule, Place } from '../../../events/dialect.ts';
import { readDocument } from '../../../events/document.ts';
import { isFields } from '../../../events/fields.ts';
import { isEventName } from '../../../events/events.ts';
import { type EventWord, readEventWord } from '../../../events/native-names.ts';
import type { Problem } from '../../../events/problems.ts';
import { readOwnHooks } from './config-hooks.ts';
import { switchedOff } from './switched-off.ts';

/** Left out, it is this one. A later release reads this one too; what a later one writes is not guessed at here. */
const version = (spot: Spot): 1 | undefined => {
  if (spot.value === 1) return 1;
  spot.say('bad-value', `is ${shown(spot.value)}`, {
    remedy: 'Write 1, or nothing: files of a later format need a later release of anyhook.',
  });
  return undefined;
};

/** A module of ours by its path; what was written for another agent with the dialect that it speaks. */
const hookPath = (spot: Spot): NamedPath | undefined => {
  if (typeof spot.value === 'string') {
    const path = text(spot);
    return path === undefined ? undefined : { path };
  }
  const { path, dialect, settings, options } = PACK(spot) ?? {};
  if (path !== undefined && dialect !== undefined)
    return {
      path,
      dialect,
      ...(settings !== undefined && { settings }),
      ...(options !== undefined && { options }),
    };
  if (isFields(spot.value))
    spot.say('bad-value', 'needs "path" and "dialect"', {
      remedy: 'Write { "path": "./added/a-plugin", "dialect": "claude-code" }.',
    });
  return undefined;
};
interface NamedPath extends Pick<NamedModule, 'dialect' | 'settings' | 'options'> {
  readonly path: string;
}
const PACK = object({ path: text, dialect: text, settings: text, options: anything });

const shownAs = oneOf<'plain' | 'hashed' | 'off'>(['plain', 'hashed', 'off']);

const KEYS = {
  $schema: text,
  version,
  hooks: record,
  hookPaths: listOf(hookPath),
  shadow: flag,
  order: filledText(listOf(text)),
  journal: object({
    required: flag,
    folder: text,
    keepDays: whole(1, 36_500),
    keepBytes: whole(1, Number.MAX_SAFE_INTEGER),
    origin: object({
      machine: shownAs,
      user: shownAs,
      agent: shownAs,
      policy: oneOf<'plain' | 'off'>(['plain', 'off']),
    }),
  }),
  disabled: listOf(switchedOff),
  trusted: listOf(text),
  untrusted: oneOf<'refuse' | 'skip'>(['refuse', 'skip']),
  daemon: oneOf<'on' | 'off'>(['on', 'off']),
  loadMs: whole(1, 600_000),
  approvers: listOf(text),
};
const FILE = object(KEYS, (spot, key) => {
  if (!isEventName(key)) return sayUnknown(spot, key, Object.keys(KEYS), 'error');
  spot.say('unknown-key', 'stands outside "hooks"', { at: 'key', remedy: 'Move it into "hooks".' });
});

/** An editor or a script may have created it and not written to it yet. */
const emptyFile = ({ file }: Place): Problem => ({
  code: 'syntax',
  file,
  line: 1,
  message: 'is empty, so it configures no hooks.',
  remedy: 'Write { "hooks": {} }, or remove the file.',
  severity: 'warning',
});

export function readConfig(
  source: string,
  place: Place,
  wordFor: (word: string) => EventWord = (word) => readEventWord(word, []),
): ConfigRead {
  if (/^[\s\uFEFF]*$/.test(source)) return { hooks: [], modules: [], problems: [emptyFile(place)] };
  const document = readDocument(source, place.file);
  if (document.problems.length > 0) return { hooks: [], modules: [], problems: document.problems };
  const file = checkShape(document, [], FILE);
  const {
    hookPaths = [],
    shadow,
    order,
    journal,
    disabled,
    trusted,
    untrusted,
    daemon,
    loadMs,
    approvers,
  } = file.value ?? {};
  const { hooks, problems } = readOwnHooks(document, { place, shadow: shadow ?? false, wordFor });
  const said: Problem[] = [];
  const root = spotAt(document, [], said);
  const settings = {
    ...(shadow !== undefined && { shadow }),
    ...(order !== undefined && ownersOnly(root.part('order'), place) && { order }),
    ...(journal !== undefined && ownersOnly(root.part('journal'), place) && { journal }),
    ...(disabled !== undefined && ownersOnly(root.part('disabled'), place) && { disabled }),
    ...(trusted !== undefined && ownersOnly(root.part('trusted'), place) && { trusted }),
    ...(untrusted !== undefined && ownersOnly(root.part('untrusted'), place) && { untrusted }),
    ...(daemon !== undefined && ownersOnly(root.part('daemon'), place) && { daemon }),
    ...(loadMs !== undefined && ownersOnly(root.part('loadMs'), place) && { loadMs }),
    ...(approvers !== undefined && ownersOnly(root.part('approvers'), place) && { approvers }),
  };
  return {
    hooks,
    modules: hookPaths.map(({ path, ...said }, index) => ({
      ...said,
      file: path.startsWith('~/') ? path : resolve(dirname(place.file), path),
      place,
      line: document.at(['hookPaths', index]).line,
      ...(shadow === true && { shadow }),
    })),
    problems: [...file.problems, ...said, ...problems].toSorted(byPlace),
    ...(Object.keys(settings).length > 0 && { settings }),
  };
}

/** A repository does not choose where its own deeds are recorded, nor who judges first, nor who does not. */
function ownersOnly(spot: Spot, { layer }: Place): boolean {
  if (layer !== 'project') return true;
  spot.say('bad-value', 'is a setting of the whole engine and is not taken from a project', {
    at: 'key',
    remedy: 'Put it into your own hooks.json.',
  });
  return false;
}

const byPlace = (a: Problem, b: Problem): number =>
  (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);
