/** Plans an install or uninstall file by file, before anything is changed. */

import { existsSync } from 'node:fs';
import { dirname, relative, sep } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'smol-toml';
import { isOurFile, isOurHandler } from '../agents/ours.ts';
import type { Agent } from '../agents/shared/agent.ts';
import type { AgentSetup, BridgePiece, InstallLocation, Setup } from '../agents/shared/bridge.ts';
import { clientRemoved, clientWritten } from './client-step.ts';
import { type EditedText, hasEntries, Unreadable, withEntries, withoutEntries } from './json-text.ts';
import {
  fileHash,
  type InstallRecord,
  installsIn,
  type KeptFile,
  readInstallRecord,
  recordFile,
} from './record.ts';
import { type TargetFile, targetFileOf, targetText } from './target.ts';

/** Marks our block of lines at the end of another program's TOML file, so that it is found again. */
const BEGIN = '# anyhook: the bridge; written by `anyhook install`, taken away by `anyhook uninstall`';
const END = '# anyhook: end of the bridge';
const BLOCK = new RegExp(`(?:^|\\n)${BEGIN}\\n[^]*?\\n${END}(?:\\n|$)`);

const hasBlock = (text: string, block: string): boolean => text.includes(framed(block));

/** Returns the text only if everything that it contained before is still there. */
function withBlock(text: string, block: string, file: string): string {
  const before = saidIn(text, file);
  const after = `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${framed(block)}`;
  let parsed: Readonly<Record<string, unknown>>;
  try {
    parsed = parse(after);
  } catch {
    throw new Unreadable(`${file} has its hooks in a form that cannot be extended; it is left as it is.`);
  }
  const { hooks: _, ...others } = parsed;
  const { hooks: __, ...had } = before;
  if (!isDeepStrictEqual(others, had))
    throw new Unreadable(`${file} is written in a way that cannot be edited safely; it is left as it is.`);
  return after;
}

const withoutBlock = (text: string): string => text.replace(BLOCK, '\n').replace(/^\n/, '');

const framed = (block: string): string => `${BEGIN}\n${block.trimEnd()}\n${END}\n`;

function saidIn(text: string, file: string): Readonly<Record<string, unknown>> {
  try {
    return parse(text);
  } catch (error) {
    throw new Unreadable(`${file}: ${(error as Error).message.split('\n')[0]}; it is left as it is.`);
  }
}

export interface Step {
  readonly target: TargetFile;
  /** The wanted content; null to remove the file. */
  readonly wanted: Buffer | null;
  /** For the record of an install. */
  readonly kept?: KeptFile;
  /** Folders that an uninstall removes if they are empty. */
  readonly folders: readonly string[];
  /** For a file that is entirely ours. */
  readonly mode?: number;
}
export interface InstallPlan {
  readonly agent: Agent;
  readonly where: InstallLocation;
  readonly steps: readonly Step[];
  readonly record: string;
  /** There is nothing to do. */
  readonly idle: boolean;
}

export function planInstall(agent: Agent, where: InstallLocation, setup: Setup): InstallPlan {
  const { pieces, targets, record, known } = look(agent, where, setup);
  const steps = pieces.map((piece, i): Step => {
    const target = targets[i]!;
    const old = known?.files.find(({ path }) => path === target.path);
    // Everything is already there, whatever else was edited: nothing to do.
    if (target.bytes !== undefined && isThere(piece, target))
      return { target, wanted: target.bytes, ...(old !== undefined && { kept: old }), folders: [] };
    const start = beforeUs(piece, target, old, agent.name);
    const { text, made } = withUs(piece, start.text, target.file);
    const wanted = Buffer.from(text);
    const folders = [...(old?.folders ?? []), ...missingFolders(target.path)];
    const record: KeptFile = {
      path: target.path,
      before: start.bytes === undefined ? null : start.bytes.toString('base64'),
      after: fileHash(wanted),
      made: start.isUntouched || old === undefined ? made : [...new Set([...old.made, ...made])],
      folders,
    };
    return { target, wanted, kept: record, folders };
  });
  return planOf(agent, where, [...steps, ...clientWritten(agent, where, setup)], record);
}

export function planUninstall(agent: Agent, where: InstallLocation, setup: Setup): InstallPlan {
  const { pieces, targets, record, known } = look(agent, where, setup);
  const steps = pieces.map((piece, i): Step => {
    const target = targets[i]!;
    const old = known?.files.find(({ path }) => path === target.path);
    const { text, bytes, isUntouched } = beforeUs(piece, target, old, agent.name);
    // A file that we created and that is now empty is removed.
    const isEmpty = !isUntouched && old?.before === null && ['', '{}'].includes(text.trim());
    const wanted = bytes === undefined || isEmpty ? null : isUntouched ? bytes : Buffer.from(text);
    return { target, wanted, folders: old?.folders ?? [] };
  });
  return planOf(agent, where, [...steps, ...clientRemoved(agent, where, record)], record);
}

/** A piece with its content for this agent and this build. */
type Content =
  | { readonly kind: 'whole' | 'block'; readonly file: string; readonly text: string }
  | {
      readonly kind: 'entries';
      readonly file: string;
      readonly entries: Readonly<Record<string, object>>;
      readonly beside?: Readonly<Record<string, unknown>>;
    };

function look(agent: Agent, where: InstallLocation, setup: Setup) {
  const { scope, home } = where;
  const pieces = piecesOf(agent, where).map((piece): Content => {
    const file = shownFile(piece.file, where);
    const own: AgentSetup = { ...setup, agent: agent.name, dialect: agent.dialect, scope, home, file };
    return piece.kind === 'entries'
      ? { ...piece, entries: piece.entries(own) }
      : { ...piece, text: piece.text(own) };
  });
  const targets = pieces.map(({ file }) => targetFileOf(file, where));
  const paths = targets.map(({ path }) => path);
  const record = recordFile(installsIn(where), agent.name, paths);
  const known: InstallRecord | undefined = readInstallRecord(record);
  return { pieces, targets, record, known };
}

/** The pieces to install. Empty for an agent without managed settings. */
export const piecesOf = ({ managed, bridge }: Agent, where: InstallLocation): readonly BridgePiece[] =>
  where.scope === 'managed' ? (managed?.pieces(where.home) ?? []) : bridge(where);

/** The path for display: relative in project files, and as short as possible. */
function shownFile(file: string, { scope, home, cwd }: InstallLocation): string {
  if (scope === 'managed') return file;
  if (scope === 'project') return relative(cwd, file);
  return file.startsWith(`${home}${sep}`) ? `~${file.slice(home.length)}` : file;
}

interface Start {
  readonly text: string;
  /** Undefined if there is no file. */
  readonly bytes: Buffer | undefined;
  readonly isUntouched: boolean;
}
/** The file before the installation: byte for byte if it is unchanged since, otherwise the current text without our entries. */
function beforeUs(piece: Content, target: TargetFile, old: KeptFile | undefined, agent: string): Start {
  if (target.bytes === undefined) return { text: '', bytes: undefined, isUntouched: false };
  if (old !== undefined && fileHash(target.bytes) === old.after) {
    const bytes = old.before === null ? undefined : Buffer.from(old.before, 'base64');
    return { text: bytes?.toString() ?? '', bytes, isUntouched: true };
  }
  const text = targetText(target);
  if (piece.kind !== 'whole') {
    const rest =
      piece.kind === 'block'
        ? withoutBlock(text)
        : withoutEntries(text, isOurHandler(agent), old?.made ?? [], target.file);
    return { text: rest, bytes: Buffer.from(rest), isUntouched: false };
  }
  if (text !== piece.text && !isOurFile(text, agent))
    throw new Unreadable(`${target.file} is there and is not ours; it is left as it is.`);
  return { text: '', bytes: undefined, isUntouched: false };
}

/** A file that is entirely ours is compared by its bytes. */
function isThere(piece: Content, target: TargetFile): boolean {
  if (piece.kind === 'entries') return hasEntries(targetText(target), piece.entries, target.file);
  return piece.kind === 'block' && hasBlock(targetText(target), piece.text);
}

function withUs(piece: Content, text: string, file: string): EditedText {
  if (piece.kind === 'entries') return withEntries(text, piece.entries, file, piece.beside);
  return { text: piece.kind === 'block' ? withBlock(text, piece.text, file) : piece.text, made: [] };
}

function planOf(agent: Agent, where: InstallLocation, steps: readonly Step[], record: string): InstallPlan {
  const isDone = ({ target, wanted }: Step) =>
    wanted === null ? target.bytes === undefined : target.bytes?.equals(wanted) === true;
  return { agent, where, steps, record, idle: steps.every(isDone) };
}

/** Innermost first. */
function missingFolders(path: string): string[] {
  const folders: string[] = [];
  for (let folder = dirname(path); !existsSync(folder); folder = dirname(folder)) folders.push(folder);
  return folders;
}
