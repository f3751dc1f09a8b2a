/** The page of one hook: its details and actions. */

import { contentsOf, summaryOf } from '../console/examined.ts';
import type { Hook } from '../events/hook.ts';
import { show } from '../events/problems.ts';
import { foldersOf } from '../gather/folders.ts';
import { circumstances } from '../gather/person.ts';
import { Unreadable } from '../install/json-text.ts';
import { brief, safe } from '../render/safe.ts';
import { shortPath } from '../render/screen.ts';
import { whatRuns } from '../render/what-runs.ts';
import { wrap } from '../render/wrap.ts';
import { keepAct } from '../settings/acts.ts';
import { type Choice, choose, type MenuContext } from './context.ts';
import { editEntry, type WantedEdit, whyNotEditable } from './edit-entry.ts';
import { type FileEdit, writeEdit } from './file-edit.ts';
import { runsOf } from './recent-runs.ts';
import type { MenuRow } from './rows.ts';
import { hasOwnSwitch, switchOffIn, switchOnIn, whyNotSwitchable } from './switch-hook.ts';
import { testFire } from './test-fire.ts';

export interface MenuHook {
  readonly row: MenuRow;
  /** As its file defines it. Trusted hooks run from a copy. */
  readonly hook: Hook;
}

/** True if a file was written and the hooks were reloaded. */
export async function hookPage(listed: MenuHook, menu: MenuContext): Promise<boolean> {
  menu.ui.notify(detailsOf(listed, menu).join('\n'));
  for (;;) {
    const act = await choose(menu, brief(listed.row.label, 60), actionsFor(listed));
    if (act === undefined) return false;
    try {
      if ((await act(listed, menu)) === 'changed') {
        await menu.hooks.reload();
        return true;
      }
    } catch (error) {
      if (!isForPeople(error)) throw error;
      menu.ui.notify(safe(error.message), 'error');
    }
  }
}

/** Our own errors are readable sentences. Errors of the file system have a code. */
const isForPeople = (error: unknown): error is Error =>
  error instanceof Unreadable || (error instanceof Error && 'code' in error);

type Act = (listed: MenuHook, menu: MenuContext) => Promise<'changed' | void>;

function actionsFor({ row, hook }: MenuHook): Choice<Act>[] {
  const canSwitch = whyNotSwitchable(hook) === undefined;
  const canEdit = whyNotEditable(hook) === undefined;
  return [
    ...(canSwitch ? [{ text: row.isOff ? 'Switch on' : 'Switch off', value: switchIt }] : []),
    ...(canEdit
      ? [
          { text: 'Change the matcher', value: changeMatcher },
          { text: 'Change the timeout', value: changeTimeout },
        ]
      : []),
    { text: 'Test-fire', value: async ({ hook: one }, menu) => testFire(one, menu) },
    ...(row.trust === 'unknown' || row.trust === 'modified'
      ? [{ text: 'Trust', value: async (one: MenuHook, menu: MenuContext) => trustOne(one.row, menu) }]
      : []),
    { text: 'Recent runs', value: showRuns },
  ] satisfies Choice<Act>[];
}

function detailsOf({ row, hook }: MenuHook, { screen, locations }: MenuContext): string[] {
  const { paint, width } = screen;
  const place = `${shortPath(row.file, screen)}${row.file.startsWith('(') ? '' : `:${row.line}`}`;
  const fixed = whyNotEditable(hook);
  const last = runsOf(row.id, locations, screen).slice(0, 3);
  const isWaiting = row.trust === 'unknown' || row.trust === 'modified';
  return [
    paint('bold', safe(row.label)),
    `  ${place}`,
    `  ${row.dialect} · ${row.event} · ${row.matcher === undefined ? 'for everything' : `for ${safe(row.matcher)}`}`,
    `  runs      ${safe(whatRuns(hook))}`,
    `  trust     ${TRUST[row.trust]}`,
    `  if it breaks: ${row.onFailure} · at most ${row.timeoutMs / 1000} s`,
    ...(row.why === undefined || isWaiting ? [] : [`  ${paint('yellow', `does not run: ${safe(row.why)}`)}`]),
    ...(fixed === undefined ? [] : [`  not edited here: ${fixed}; see ${place}`]),
    ...(last.length === 0
      ? ['  no run of it is recorded']
      : ['  last runs', ...last.map((line) => `    ${line}`)]),
  ].flatMap((line) => wrap(line, width, '    '));
}

const TRUST: Readonly<Record<MenuRow['trust'], string>> = {
  yours: 'yours, needs none',
  trusted: 'trusted',
  unknown: 'waits for trust',
  modified: 'modified since it was trusted',
  untrustable: 'cannot be trusted as it is',
};

const switchIt: Act = async ({ row, hook }, menu) => {
  const edit = row.isOff ? switchOnIn(hook, menu.locations) : switchOffIn(hook, menu.locations);
  const note =
    row.isOff || hasOwnSwitch(hook) || hook.dialect === 'anyhook'
      ? ''
      : `Holds wherever anyhook runs it. An agent that reads ${hook.origin.file} by itself still runs it.`;
  return agreed(edit, edit.layer, note, menu);
};

const changeMatcher: Act = async ({ hook }, menu) => {
  const text = await menu.ui.input('The new matcher; * for everything', hook.matcher ?? '*');
  if (text === undefined || text.trim() === '') return;
  const to = text.trim() === '*' ? undefined : text.trim();
  return edited(hook, { what: 'matcher', to }, menu);
};

const changeTimeout: Act = async ({ hook }, menu) => {
  const text = await menu.ui.input('The new timeout, in seconds', String(hook.timeoutMs / 1000));
  if (text === undefined || text.trim() === '') return;
  const seconds = Number(text);
  if (!Number.isFinite(seconds) || seconds <= 0)
    return menu.ui.notify(`${JSON.stringify(text)} is not a number of seconds above 0.`, 'error');
  return edited(hook, { what: 'timeout', ms: Math.round(seconds * 1000) }, menu);
};

function edited(hook: Hook, wanted: WantedEdit, menu: MenuContext): Promise<'changed' | void> {
  const edit = editEntry(hook, wanted, menu.locations);
  const shared =
    edit.others === 0 ? '' : `The matcher also applies to ${edit.others} more of the same list. `;
  const trust = hook.origin.layer === 'project' ? 'The changed entry needs trust again.' : '';
  return agreed(edit, hook.origin.layer, `${shared}${trust}`, menu);
}

/** Shows the complete edit and writes it only after the user confirms. */
async function agreed(edit: FileEdit, layer: Hook['origin']['layer'], note: string, menu: MenuContext) {
  if (edit.diff === '') return menu.ui.notify('It already has this value.');
  menu.ui.notify([edit.diff, ...(note === '' ? [] : [note])].join('\n'));
  if (!(await menu.ui.confirm('Write this?', edit.target.file))) return;
  keepAct(foldersOf(menu.locations).acts, {
    at: new Date().toISOString(),
    what: `${edit.target.file} edited in the menu`,
    ...circumstances(),
  });
  writeEdit(edit, layer, menu.locations);
  menu.ui.notify(`Written: ${shortPath(edit.target.file, menu.screen)}`);
  return 'changed' as const;
}

const showRuns: Act = async ({ row }, { ui, locations, screen }) => {
  const lines = runsOf(row.id, locations, screen);
  ui.notify(lines.length === 0 ? 'No run of it is recorded.' : lines.join('\n'));
};

/** Shows exactly what will run, or what changed since it was trusted. Only an explicit yes trusts it. */
async function trustOne({ hash }: MenuRow, { ui, hooks, screen }: MenuContext): Promise<'changed' | void> {
  const entry = hooks.examined.find(({ judgement }) => judgement.hash === hash);
  if (entry === undefined)
    return ui.notify('It has changed since it was shown. Go back and open it again.', 'error');
  ui.notify([...summaryOf(entry, screen), ...contentsOf(entry, screen)].join('\n'));
  if (!(await ui.confirm('Trust exactly this?', entry.judgement.hash))) return;
  const result = hooks.grant(entry.entry);
  if (result.kind === 'failed') return ui.notify(safe(show(result.problem)), 'error');
  ui.notify(`Trusted ${entry.judgement.hash}.`);
  return 'changed';
}
