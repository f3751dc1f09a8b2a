/** Reads `hooks.json` into hooks, modules, settings and problems. A broken guard does not vanish. */

import { dirname, resolve } from 'node:path';
import { approvals } from '../../../events/approval-settings.ts';
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
import { isEventName } from '../../../events/events.ts';
import { isFields } from '../../../events/fields.ts';
import { type EventWord, readEventWord } from '../../../events/native-names.ts';
import type { Problem } from '../../../events/problems.ts';
import { undo } from '../../../events/undo-settings.ts';
import { readOwnHooks } from './config-hooks.ts';
import { switchedOff } from './switched-off.ts';

/** Defaults to this version. Later releases can read it, but this release does not guess at later formats. */
const version = (spot: Spot): 1 | undefined => {
  if (spot.value === 1) return 1;
  spot.report('bad-value', `is ${shown(spot.value)}`, {
    remedy: 'Write 1, or leave it out. Files in a newer format need a newer release of anyhook.',
  });
  return undefined;
};

/** Reads the path of one of our modules, or the path and dialect of a module for another agent. */
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
    spot.report('bad-value', 'needs "path" and "dialect"', {
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
  sticky: flag,
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
  updates: oneOf<'on' | 'off'>(['on', 'off']),
  loadMs: whole(1, 600_000),
  approvers: listOf(text),
  approvals,
  undo,
};
const FILE = object(KEYS, (spot, key) => {
  if (!isEventName(key)) return sayUnknown(spot, key, Object.keys(KEYS), 'error');
  spot.report('unknown-key', 'is outside "hooks"', { at: 'key', remedy: 'Move it into "hooks".' });
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
    sticky,
    order,
    journal,
    disabled,
    trusted,
    untrusted,
    daemon,
    updates,
    loadMs,
    approvers,
    approvals: asked,
    undo: undoChoice,
  } = file.value ?? {};
  const { hooks, problems } = readOwnHooks(document, { place, shadow: shadow ?? false, wordFor });
  const settingProblems: Problem[] = [];
  const root = spotAt(document, [], settingProblems);
  const settings = {
    ...(shadow !== undefined && { shadow }),
    ...(sticky !== undefined && ownersOnly(root.part('sticky'), place) && { sticky }),
    ...(order !== undefined && ownersOnly(root.part('order'), place) && { order }),
    ...(journal !== undefined && ownersOnly(root.part('journal'), place) && { journal }),
    ...(disabled !== undefined && ownersOnly(root.part('disabled'), place) && { disabled }),
    ...(trusted !== undefined && ownersOnly(root.part('trusted'), place) && { trusted }),
    ...(untrusted !== undefined && ownersOnly(root.part('untrusted'), place) && { untrusted }),
    ...(daemon !== undefined && ownersOnly(root.part('daemon'), place) && { daemon }),
    ...(updates !== undefined && ownersOnly(root.part('updates'), place) && { updates }),
    ...(loadMs !== undefined && ownersOnly(root.part('loadMs'), place) && { loadMs }),
    ...(approvers !== undefined && ownersOnly(root.part('approvers'), place) && { approvers }),
    ...(asked !== undefined && ownersOnly(root.part('approvals'), place) && { approvals: asked }),
    ...(undoChoice !== undefined && ownersOnly(root.part('undo'), place) && { undo: undoChoice }),
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
    problems: [...file.problems, ...settingProblems, ...problems].toSorted(byPlace),
    ...(Object.keys(settings).length > 0 && { settings }),
  };
}

/** A repository cannot choose where its actions are recorded or which hooks run first or not at all. */
function ownersOnly(spot: Spot, { layer }: Place): boolean {
  if (layer !== 'project') return true;
  spot.report('bad-value', 'is a setting for the whole engine and cannot be set by a project', {
    at: 'key',
    remedy: 'Put it in your own hooks.json.',
  });
  return false;
}

const byPlace = (a: Problem, b: Problem): number =>
  (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);
