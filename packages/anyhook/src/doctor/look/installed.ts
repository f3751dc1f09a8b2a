/** Reads our bridges in the files of agents. Writes nothing. */

import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isOurFile, isOurHandler } from '../../agents/ours.ts';
import type { Agent } from '../../agents/shared/agent.ts';
import type { BridgePiece, InstallLocation, InstallScope } from '../../agents/shared/bridge.ts';
import {
  clientConfFile,
  clientFile,
  clientFiles,
  DEFAULT_DEADLINE_MS,
} from '../../agents/shared/client-command.ts';
import type { EntryPlace, SkippedEntry } from '../../agents/shared/hook-trust.ts';
import { moduleLauncherFile } from '../../agents/shared/module-file.ts';
import { programsIn } from '../../daemon/client-conf.ts';
import { findDialect } from '../../dialects.ts';
import type { Locations } from '../../events/dialect.ts';
import { readDocument } from '../../events/document.ts';
import { piecesOf, planInstall } from '../../install/plan.ts';
import { installsIn, readInstallRecord, recordFile } from '../../install/record.ts';
import { setupFor } from '../../install/setup.ts';
import { targetFileOf, targetText } from '../../install/target.ts';
import { readSettingsFile } from '../../settings/read-file.ts';

/** One entry that starts us. */
export interface InstalledEntry extends EntryPlace {
  readonly line: number;
  /** The entry's own timeout; undefined if the agent's default applies. */
  readonly hostMs?: number;
  /** Our deadline for hooks. */
  readonly oursMs: number;
}
export interface InstalledBridge {
  readonly agent: Agent;
  readonly scope: InstallScope;
  readonly file: string;
  readonly entries: readonly InstalledEntry[];
  /** The entry matches what this version would install, and nothing is missing. */
  readonly isCurrent: boolean;
  /** Our files that the entry starts or loads, and that do not exist. */
  readonly missing: readonly string[];
  /** Entries that the agent will not run, with the reason. */
  readonly skipped: readonly SkippedEntry[];
}
export interface InstalledHere {
  readonly installed: readonly InstalledBridge[];
  /** Where a bridge that we installed has disappeared without an uninstall. */
  readonly gone: readonly Pick<InstalledBridge, 'agent' | 'scope' | 'file'>[];
  /** Files that cannot be read, with the reason. */
  readonly unreadable: readonly { readonly file: string; readonly why: string }[];
}

export function findInstalled(locations: Locations, known: readonly Agent[]): InstalledHere {
  const installed: InstalledBridge[] = [];
  const unreadable: InstalledHere['unreadable'][number][] = [];
  const gone: InstalledHere['gone'][number][] = [];
  const scopes: readonly InstallScope[] = locations.home === locations.cwd ? ['user'] : ['user', 'project'];
  const { home, cwd, env } = locations;
  const places: readonly InstallLocation[] = [
    ...managedPlace(locations),
    ...scopes.map((scope) => ({ scope, home, cwd, env })),
  ];
  for (const agent of known)
    for (const where of places) {
      const last = piecesOf(agent, where).at(-1); // the entry that starts us
      if (last === undefined) continue;
      const { file, kind } = last;
      const isUsers = file === agent.bridge({ ...where, scope: 'user' }).at(-1)!.file;
      if (where.scope === 'project' && isUsers) continue;
      try {
        const found = installedIn(agent, where, file, kind);
        if (found !== undefined) installed.push(found);
        else if (isRecorded(agent, where)) gone.push({ agent, scope: where.scope, file });
      } catch (error) {
        unreadable.push({ file, why: (error as Error).message });
      }
    }
  return { installed, gone, unreadable };
}

function isRecorded(agent: Agent, where: InstallLocation): boolean {
  const paths = piecesOf(agent, where).map(({ file }) => targetFileOf(file, where).path);
  return readInstallRecord(recordFile(installsIn(where), agent.name, paths)) !== undefined;
}

/** Root-owned settings, below the same root as the organisation's folder. */
function managedPlace({ managed, cwd, env }: Locations): readonly InstallLocation[] {
  const [, root] = /^(.*)\/etc\/anyhook$/.exec(managed?.folder ?? '') ?? [];
  return root === undefined ? [] : [{ scope: 'managed', home: root || '/', cwd, env }];
}

function installedIn(
  agent: Agent,
  where: InstallLocation,
  file: string,
  kind: BridgePiece['kind'],
): InstalledBridge | undefined {
  const target = targetFileOf(file, where);
  if (target.bytes === undefined) return undefined;
  const text = targetText(target);
  const entries = entriesIn(text, file, agent);
  if (kind === 'entries' ? entries.length === 0 : !isOurFile(text, agent.name) && entries.length === 0)
    return undefined;
  const isCurrent = (['closed', 'open'] as const).some((failure) => isIdle(agent, where, failure));
  const missing = [
    ...missingIn(text),
    ...(text.includes('anyhook-client') ? missingBehindClient(where) : []),
    ...(text.includes('/anyhook/open.mjs') ? missingBehindModule(moduleLauncherFile(where)) : []),
  ];
  const skipped = skippedIn(agent, where, target.path, entries);
  return { agent, scope: where.scope, file, entries, isCurrent, missing, skipped };
}

function skippedIn(
  { trust }: Agent,
  where: InstallLocation,
  path: string,
  entries: readonly InstalledEntry[],
): readonly SkippedEntry[] {
  if (trust === null) return [];
  const read = readSettingsFile(trust.file(where));
  return trust.skipped({ where, path, entries }, read.kind === 'text' ? read.text : '');
}

function isIdle(agent: Agent, where: InstallLocation, failure: 'closed' | 'open'): boolean {
  try {
    return [{}, { strict: true } as const].some(
      (how) => planInstall(agent, where, setupFor(failure, how)).idle,
    );
  } catch {
    return false; // another program's entry replaced it
  }
}

function entriesIn(text: string, file: string, { name: agent, dialect }: Agent): InstalledEntry[] {
  const document = readDocument(text, file);
  const timeout = findDialect(dialect)?.config.entry?.timeout;
  const hooks = fieldsOf(fieldsOf(document.value)?.['hooks']) ?? {};
  return Object.entries(hooks).flatMap(([word, groups]) =>
    listOf(groups).flatMap((group, nth) =>
      handlersIn(group).flatMap(({ handler, at, path }) => {
        if (handler === undefined || !isOurHandler(agent)(handler)) return [];
        const [, ours = DEFAULT_DEADLINE_MS] = /--deadline-ms (\d+)/.exec(String(handler['command'])) ?? [];
        const waits = handler[timeout?.key ?? ''];
        const hostMs = typeof waits === 'number' ? waits * (timeout?.unit === 'ms' ? 1 : 1000) : undefined;
        const { line } = document.at(['hooks', word, nth, ...path]);
        const entry = { word, group: nth, at, handler, line, oursMs: Number(ours) };
        return [{ ...entry, ...(hostMs !== undefined && { hostMs }) }];
      }),
    ),
  );
}

/** The entries of a group. In a flat list each entry is its own group. */
function handlersIn(group: unknown) {
  const fields = fieldsOf(group);
  return fields?.['hooks'] === undefined
    ? [{ handler: fields, at: 0, path: [] }]
    : listOf(fields['hooks']).map((one, at) => ({ handler: fieldsOf(one), at, path: ['hooks', at] }));
}

/** Paths to our files in a command line or a module URL. */
function missingIn(text: string): string[] {
  const lines = [...text.matchAll(/(\/[^\s"'\\]+\/anyhook\.cjs)\b/g)].map(([, path]) => path!);
  const modules = [...text.matchAll(/"(file:\/\/[^"]+\.js)"/g)].map(([, url]) => fileURLToPath(url!));
  return [...new Set([...lines, ...modules])].filter((path) => !existsSync(path));
}

/** Settings name the client, whose configuration names Node and our program. */
function missingBehindClient(where: InstallLocation): string[] {
  const installed = clientFiles(where).find((file) => existsSync(file));
  const [client, conf] = [installed ?? clientFile(where), clientConfFile(where)];
  const gone = [client, conf].filter((file) => !existsSync(file));
  if (gone.length > 0) return gone;
  const programs = programsIn(readFileSync(conf, 'utf8'));
  return programs === undefined ? [conf] : [programs.node, programs.bin].filter((path) => !existsSync(path));
}
const missingBehindModule = (launcher: string): string[] =>
  existsSync(launcher) ? missingIn(readFileSync(launcher, 'utf8')) : [launcher];

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
