/** Finds guards that would let a call pass if they broke. */

import { journalFolderOf } from '../../console/journal-folder.ts';
import { findDialect } from '../../dialects.ts';
import { eventHeardBy } from '../../dialects.ts';
import { decides } from '../../events/roles.ts';
import { readFolder } from '../../journal/index.ts';
import type { Lint } from './lint.ts';

/** Maximum number of records searched, newest first. */
const LOOKED_AT = 5000;

export const guards: Lint = ({ hooks, onFailure, locations }) => {
  const open = hooks.filter((hook) => {
    const event = eventHeardBy(hook);
    const isGuard = hook.roles.includes('guard') && !hook.background && !hook.shadow;
    return isGuard && event !== undefined && decides(event) && onFailure(hook.id) === 'allow';
  });
  const passed = open.length === 0 ? new Map<string, string>() : failedOpen(journalFolderOf(locations));
  return open.map(({ id, origin, on, dialect }) => {
    const when = passed.get(id);
    const closing = findDialect(dialect)?.config.entry?.failsClosed ?? null;
    return {
      code: 'fails-open',
      severity: when === undefined ? ('note' as const) : ('warning' as const),
      file: origin.file,
      line: origin.line,
      hook: id,
      what: `If this hook on ${on} breaks, the call runs${when === undefined ? '.' : `; that happened ${when}.`}`,
      why: `That is the rule of ${dialect}: only an answer refuses.`,
      remedy:
        closing !== null
          ? `If it is meant to guard, write ${closing} beside its command.`
          : 'If it is meant to guard, let it run from ~/.config/anyhook/hooks.json, where guards fail closed.',
    };
  });
};

function failedOpen(folder: string): Map<string, string> {
  const found = new Map<string, string>();
  let looked = 0;
  for (const entry of readFolder(folder, { order: 'newest-first' })) {
    if (++looked > LOOKED_AT) break;
    if (entry.kind !== 'record') continue;
    for (const { hook, failed, failedOpen: isOpen } of entry.record.hooks)
      if (isOpen === true && !found.has(hook.id))
        found.set(
          hook.id,
          `on ${entry.record.at.slice(0, 16).replace('T', ' ')} (${failed?.kind ?? 'broken'})`,
        );
  }
  return found;
}
