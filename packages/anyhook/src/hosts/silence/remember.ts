import { dirname } from 'node:path';
import type { Dialect, Locations } from '../../canon/dialect.ts';
import { EVENT_NAMES, type EventName } from '../../canon/events.ts';
import { isBuiltIn } from '../../canon/hook.ts';
import { makeFolder } from '../../settings/make-folder.ts';
import { foldersOf } from '../../assembly/folders.ts';
import { rootOf, stoodFile } from '../../settings/stood.ts';
import type { Hooks } from '../library/hooks.ts';
import type { NativeOutput } from '../console/speak.ts';
import { snapshotOf } from './snapshot.ts';
import { writeOwn } from '../../settings/own-file.ts';
import type { Question } from './question.ts';
import { areVariablesSame, isDiskSame, recall, type RememberedSilence } from './recall.ts';

export interface AnsweredFire {
  readonly question: Question;
  /** What the event was. */
  readonly name: EventName;
  readonly dialect: Dialect;
  /** Those whose settings are read. */
  readonly dialects: readonly Dialect[];
  /** Files that the agent reads by itself: a slip in them is told of when a session begins. */
  readonly left: readonly string[];
  readonly locations: Required<Locations>;
  readonly hooks: Hooks;
  readonly spoken: NativeOutput;
  /** The person wants no engine. */
  readonly engine?: 'off';
}

/** Silence that is the same whatever the payload holds: then nothing of it needs to be read again. */
const PLAIN: ReadonlySet<string> = new Set(['', '{}\n']);

/** Only what cannot change by itself: no code, no broken settings, no other meaning of the same word. */
export function remember({
  question,
  name: fired,
  dialect,
  dialects,
  left,
  locations,
  hooks,
  spoken,
  engine,
}: AnsweredFire): void {
  const { key, file, word } = question;
  const meanings = EVENT_NAMES.filter((name) => dialect.words[name]?.includes(word) === true);
  if (!meanings.includes(fired) || meanings.some((name) => hooks.wants[name])) return;
  if (!PLAIN.has(spoken.stdout) || spoken.stderr !== '' || spoken.code !== 0) return;
  if (hooks.problems.some(({ severity }) => severity === 'error')) return;
  if (hooks.hooks.some((hook) => isCode(hook.run.kind) && !isBuiltIn(hook))) return;
  const known = recall(file);
  if (known?.key === key && isDiskSame(known.looked) && areVariablesSame(known.looked, locations.env)) {
    writeOwn(file, JSON.stringify({ ...known, silent: { ...known.silent, [word]: spoken.stdout } }));
    return;
  }
  // First, so that no folder of ours is remembered as missing.
  if (!isMade(dirname(file))) return;
  const looked = snapshotOf(dialects, locations, [
    stoodFile(foldersOf(locations).stood, rootOf(locations.cwd)),
    ...left,
  ]);
  if (looked === undefined) return;
  // Which project was looked at may hang on a variable of the agent's.
  const { projectVariable: name } = dialect;
  const env = name === undefined ? looked.env : { ...looked.env, [name]: locations.env[name] ?? null };
  const remembered: RememberedSilence = {
    key,
    looked: { ...looked, env },
    silent: { [word]: spoken.stdout },
    ...(engine && { engine }),
  };
  writeOwn(file, JSON.stringify(remembered));
}

const isCode = (kind: string): boolean => kind === 'call' || kind === 'isolated';

function isMade(folder: string): boolean {
  try {
    makeFolder(folder);
    return true;
  } catch {
    return false; // only time is lost
  }
}
