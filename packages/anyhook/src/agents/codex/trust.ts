/**
 * Codex runs a hook only if its `config.toml` has the hash of it, by the place where it stands. The hash is that of a document
 * with its keys in order, as Codex 0.166 and 0.169 compute it (`hooks/list` of its app server names the same).
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { isFields } from '../../canon/fields.ts';
import type { EntryPlace, HookTrust } from '../shared/hook-trust.ts';
import { codexFolder } from './bridge.ts';

/** What it waits for a hook that does not say. */
const USUAL_S = 600;

export const codexTrust: HookTrust = {
  file: (where) => join(codexFolder({ ...where, scope: 'user' }), 'config.toml'),
  skipped({ where, path, entries }, noted) {
    const { projects, hooks } = readNotes(noted);
    const states = isFields(hooks) && isFields(hooks['state']) ? hooks['state'] : {};
    const project = isFields(projects) ? projects[where.cwd] : undefined;
    const isClosedProject =
      where.scope === 'project' && !(isFields(project) && project['trust_level'] === 'trusted');
    return entries.flatMap((entry) => {
      const state = states[`${path}:${keyWord(entry.word)}:${entry.group}:${entry.at}`];
      const why = isClosedProject
        ? 'the project is not trusted'
        : whySkipped(entry, isFields(state) ? state : {});
      return why === undefined ? [] : [{ word: entry.word, why }];
    });
  },
  remedy: 'Start codex in this folder and review its hooks: /hooks',
};

function whySkipped(entry: EntryPlace, state: Readonly<Record<string, unknown>>): string | undefined {
  if (state['enabled'] === false) return 'it was switched off';
  const hash = state['trusted_hash'];
  if (hash === undefined) return 'it was never told to trust it';
  return hash === codexHookHash(entry) ? undefined : 'it has changed since it was trusted';
}

export function codexHookHash({ word, handler }: Pick<EntryPlace, 'word' | 'handler'>): string {
  const { command, timeout = USUAL_S } = handler;
  const identity = {
    event_name: keyWord(word),
    hooks: [{ async: false, command, timeout, type: 'command' }],
  };
  return `sha256:${createHash('sha256').update(JSON.stringify(identity)).digest('hex')}`;
}

const keyWord = (word: string): string => word.replaceAll(/(?<=.)([A-Z])/g, '_$1').toLowerCase();

/** What cannot be read has told it nothing. */
function readNotes(text: string): Readonly<Record<string, unknown>> {
  try {
    return parse(text);
  } catch {
    return {};
  }
}
