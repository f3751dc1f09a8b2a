/**
 * Codex runs a hook only if its `config.toml` contains the hash of the hook for its location. The hash covers a
 * document with sorted keys, as Codex 0.166 and 0.169 compute it. `hooks/list` of its app server returns the same hash.
 */

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { isFields } from '../../events/fields.ts';
import type { EntryPlace, HookTrust, SkippedEntry } from '../shared/hook-trust.ts';
import { agentFolder, type FolderTrust } from '../shared/project-hooks.ts';
import { codexFolder } from './bridge.ts';

/** The default timeout of Codex. */
const USUAL_S = 600;

export const codexTrust: HookTrust = {
  file: (where) => join(codexFolder({ ...where, scope: 'user' }), 'config.toml'),
  skipped({ where, path, entries }, noted) {
    const { projects, hooks } = readNotes(noted);
    const states = isFields(hooks) && isFields(hooks['state']) ? hooks['state'] : {};
    const isClosedProject = where.scope === 'project' && !isTrusted(projects, where.cwd);
    return entries.flatMap((entry): SkippedEntry[] => {
      const state = states[`${path}:${keyWord(entry.word)}:${entry.group}:${entry.at}`];
      const why = isClosedProject
        ? 'the project is not trusted'
        : whySkipped(entry, isFields(state) ? state : {});
      if (why === undefined) return [];
      const movedFrom = why === UNTOLD ? trustedElsewhere(entry, states) : undefined;
      if (movedFrom !== undefined)
        return [
          { word: entry.word, why: `its trust is for ${movedFrom}, but the file has moved`, movedFrom },
        ];
      return [{ word: entry.word, why, ...(why === SWITCHED_OFF && { isOff: true as const }) }];
    });
  },
  remedy: 'Start codex in this folder and review its hooks: /hooks',
};

export const codexFolderTrust: FolderTrust = {
  isTrusted(folder, agent) {
    const text = agent.read(join(agentFolder(agent, 'CODEX_HOME', '.codex'), 'config.toml'));
    return isTrusted(readNotes(text ?? '')['projects'], folder);
  },
};

function isTrusted(projects: unknown, folder: string): boolean {
  const project = isFields(projects) ? projects[folder] : undefined;
  return isFields(project) && project['trust_level'] === 'trusted';
}

const SWITCHED_OFF = 'it is switched off';
const UNTOLD = 'Codex has never trusted it';

/** Returns another file for which the same entry is trusted. Codex stores trust by path. */
function trustedElsewhere(entry: EntryPlace, states: Readonly<Record<string, unknown>>): string | undefined {
  const place = `:${keyWord(entry.word)}:${entry.group}:${entry.at}`;
  const hash = codexHookHash(entry);
  const found = Object.entries(states).find(
    ([key, state]) => key.endsWith(place) && isFields(state) && state['trusted_hash'] === hash,
  );
  return found?.[0].slice(0, -place.length);
}

function whySkipped(entry: EntryPlace, state: Readonly<Record<string, unknown>>): string | undefined {
  if (state['enabled'] === false) return SWITCHED_OFF;
  const hash = state['trusted_hash'];
  if (hash === undefined) return UNTOLD;
  return hash === codexHookHash(entry) ? undefined : 'it has changed since it was trusted';
}

export function codexHookHash({
  word,
  handler,
  matcher,
}: Pick<EntryPlace, 'word' | 'handler' | 'matcher'>): string {
  const { command, statusMessage, timeout = USUAL_S } = handler;
  const identity = {
    event_name: keyWord(word),
    hooks: [
      {
        async: false,
        command,
        ...(typeof statusMessage === 'string' && { statusMessage }),
        timeout,
        type: 'command',
      },
    ],
    ...(matcher !== undefined && { matcher }),
  };
  return `sha256:${createHash('sha256').update(JSON.stringify(identity)).digest('hex')}`;
}

const keyWord = (word: string): string => word.replaceAll(/(?<=.)([A-Z])/g, '_$1').toLowerCase();

/** An unreadable file contains no trust. */
function readNotes(text: string): Readonly<Record<string, unknown>> {
  try {
    return parse(text);
  } catch {
    return {};
  }
}
