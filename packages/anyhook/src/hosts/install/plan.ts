/** What an install or an uninstall would do, file by file, before anything is done. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { foldersOf } from '../../assembly/folders.ts';
import { type AgentName, AGENTS } from '../../agents/index.ts';
import type { AgentSetup, Setup, Where } from '../../agents/shared/bridge.ts';
import { hasEntries, Unreadable, withEntries, withoutEntries } from './json-text.ts';
import { isOurFile, isOurHandler } from '../../agents/ours.ts';
import { hashOf, type InstallRecord, type Kept, readRecord, recordFile } from './record.ts';
import { type Target, targetOf, textOf } from './target.ts';

export interface Step {
  readonly target: Target;
  /** What the file shall hold; null: it shall not be there. */
  readonly wanted: Buffer | null;
  /** For the record of an install. */
  readonly kept?: Kept;
  /** Folders that an uninstall takes away, if they are empty. */
  readonly folders: readonly string[];
}
export interface Plan {
  readonly agent: AgentName;
  readonly where: Where;
  readonly steps: readonly Step[];
  readonly record: string;
  /** Nothing is to be done. */
  readonly idle: boolean;
}

export function planInstall(agent: AgentName, where: Where, setup: Setup): Plan {
  const { pieces, targets, record, known } = look(agent, where, setup);
  const steps = pieces.map((piece, i): Step => {
    const target = targets[i]!;
    const old = known?.files.find(({ path }) => path === target.path);
    // All there, whatever else was done to the file since: nothing is to be done again.
    if (
      piece.kind === 'entries' &&
      target.bytes !== undefined &&
      hasEntries(textOf(target), piece.entries, target.file)
    )
      return { target, wanted: target.bytes, ...(old !== undefined && { kept: old }), folders: [] };
    const start = beforeUs(piece, target, old, agent);
    const { text, made } =
      piece.kind === 'whole'
        ? { text: piece.text, made: [] }
        : withEntries(start.text, piece.entries, target.file);
    const wanted = Buffer.from(text);
    const folders = [...(old?.folders ?? []), ...missingFolders(target.path)];
    const kept: Kept = {
      path: target.path,
      before: start.bytes === undefined ? null : start.bytes.toString('base64'),
      after: hashOf(wanted),
      made: start.isUntouched || old === undefined ? made : [...new Set([...old.made, ...made])],
      folders,
    };
    return { target, wanted, kept, folders };
  });
  return planOf(agent, where, steps, record);
}

export function planUninstall(agent: AgentName, where: Where, setup: Setup): Plan {
  const { pieces, targets, record, known } = look(agent, where, setup);
  const steps = pieces.map((piece, i): Step => {
    const target = targets[i]!;
    const old = known?.files.find(({ path }) => path === target.path);
    const { text, bytes, isUntouched } = beforeUs(piece, target, old, agent);
    // A file that we made and that holds nothing any more goes with us.
    const isEmpty = !isUntouched && old?.before === null && text.trim() === '{}';
    const wanted = bytes === undefined || isEmpty ? null : isUntouched ? bytes : Buffer.from(text);
    return { target, wanted, folders: old?.folders ?? [] };
  });
  return planOf(agent, where, steps, record);
}

/** A piece, with what it holds for this agent and this build. */
type Content =
  | { readonly kind: 'whole'; readonly file: string; readonly text: string }
  | { readonly kind: 'entries'; readonly file: string; readonly entries: Readonly<Record<string, object>> };

function look(agent: AgentName, where: Where, setup: Setup) {
  const { bridge, dialect } = AGENTS[agent];
  const own: AgentSetup = { ...setup, agent, dialect };
  const pieces = bridge(where).map((piece): Content =>
    piece.kind === 'whole' ? { ...piece, text: piece.text(own) } : { ...piece, entries: piece.entries(own) },
  );
  const targets = pieces.map(({ file }) => targetOf(file, where));
  const paths = targets.map(({ path }) => path);
  const record = recordFile(installsIn(where), agent, paths);
  const known: InstallRecord | undefined = readRecord(record);
  return { pieces, targets, record, known };
}

interface Start {
  readonly text: string;
  /** Undefined: no file. */
  readonly bytes: Buffer | undefined;
  readonly isUntouched: boolean;
}
/** The file as it was before us: byte for byte where nobody has touched it since, else as it is, without what is ours. */
function beforeUs(piece: Content, target: Target, old: Kept | undefined, agent: string): Start {
  if (target.bytes === undefined) return { text: '', bytes: undefined, isUntouched: false };
  if (old !== undefined && hashOf(target.bytes) === old.after) {
    const bytes = old.before === null ? undefined : Buffer.from(old.before, 'base64');
    return { text: bytes?.toString() ?? '', bytes, isUntouched: true };
  }
  const text = textOf(target);
  if (piece.kind === 'entries') {
    const rest = withoutEntries(text, isOurHandler(agent), old?.made ?? [], target.file);
    return { text: rest, bytes: Buffer.from(rest), isUntouched: false };
  }
  if (text !== piece.text && !isOurFile(text, agent))
    throw new Unreadable(`${target.file} is there and is not ours; it is left as it is.`);
  return { text: '', bytes: undefined, isUntouched: false };
}

function planOf(agent: AgentName, where: Where, steps: readonly Step[], record: string): Plan {
  const isDone = ({ target, wanted }: Step) =>
    wanted === null ? target.bytes === undefined : target.bytes?.equals(wanted) === true;
  return { agent, where, steps, record, idle: steps.every(isDone) };
}

/** The innermost first. */
function missingFolders(path: string): string[] {
  const folders: string[] = [];
  for (let folder = dirname(path); !existsSync(folder); folder = dirname(folder)) folders.push(folder);
  return folders;
}

/** Beside the trust store: outside every project. */
const installsIn = (where: Where): string => join(dirname(foldersOf(where).trust), 'installs');
