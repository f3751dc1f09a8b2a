/**
 * `anyhook hooks`, and `/hooks` in the agent: browse, disable, edit, try and trust hooks. Independent of who draws the dialogs.
 */

import { type Hook, isBuiltIn, LAYERS } from '../events/hook.ts';
import { projectLocations } from '../library/project-root.ts';
import { paintFor } from '../render/paint.ts';
import { brief } from '../render/safe.ts';
import { shortPath } from '../render/screen.ts';
import { type Choice, choose, type MenuContext } from './context.ts';
import { hookPage, type MenuHook } from './hook-page.ts';
import { recentEvents } from './recent-runs.ts';
import { hookMenu, type MenuRow } from './rows.ts';
import { offByOwnSwitch } from './switch-hook.ts';

export interface MenuOptions extends Pick<MenuContext, 'ui' | 'hooks'>, Partial<MenuContext['where']> {
  readonly screen?: Partial<Pick<MenuContext['screen'], 'paint' | 'width'>>;
}

/** Resolves when the user leaves. Changes apply at once, because the hooks are reloaded. */
export async function openMenu({ ui, hooks, screen, ...where }: MenuOptions): Promise<void> {
  const locations = projectLocations(where);
  const plain = paintFor({ isTTY: false }, {});
  const { cwd, home } = locations;
  const menu: MenuContext = {
    ui,
    hooks,
    where,
    locations,
    screen: { paint: plain, width: 80, cwd, home, ...screen },
  };
  for (;;) {
    const listed = listedBy(menu);
    if (listed.length === 0) return ui.notify('No hooks were found.');
    const next = await choose(menu, heading(listed), sections(listed, menu));
    if (next === undefined) return;
    await next();
  }
}

/** All hooks, including disabled ones. */
export function listedBy({ hooks, locations }: Pick<MenuContext, 'hooks' | 'locations'>): MenuHook[] {
  const off = [
    ...(hooks.disabled ?? []),
    ...offByOwnSwitch([...hooks.hooks, ...(hooks.disabled ?? [])], locations),
  ];
  const all = [...hooks.hooks, ...off];
  const byId = new Map(all.map((hook) => [hook.id, hook]));
  const asWritten = (id: string): Hook | undefined =>
    hooks.examined.find(({ hook }) => hook?.id === id)?.hook ?? byId.get(id);
  return hookMenu({ hooks: hooks.hooks, disabled: off, examined: hooks.examined }).flatMap((row) => {
    const hook = asWritten(row.id);
    return hook === undefined || isBuiltIn(hook) ? [] : [{ row, hook }];
  });
}

function heading(listed: readonly MenuHook[]): string {
  const files = new Set(listed.map(({ row }) => row.file)).size;
  const off = listed.filter(({ row }) => row.isOff).length;
  return `${counted(listed.length, 'hook')} in ${counted(files, 'file')}${off === 0 ? '' : `, ${off} off`}`;
}
const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

function sections(listed: readonly MenuHook[], menu: MenuContext): Choice<() => Promise<void>>[] {
  const waiting = listed.filter(({ row }) => row.trust === 'unknown' || row.trust === 'modified');
  const by = (text: string, keyOf: (row: MenuRow) => string) => ({
    text,
    value: () => browse(text, listed, keyOf, menu),
  });
  return [
    by('By file', ({ file }) => shortPath(file, menu.screen)),
    by('By event', ({ event, dialect }) => `${event} (${dialect})`),
    by('By layer', ({ layer }) => layer),
    { text: 'All', value: () => pick('All hooks', listed, menu) },
    ...(waiting.length === 0
      ? []
      : [
          {
            text: `Waiting for trust: ${waiting.length}`,
            value: () => pick('Waiting for trust', waiting, menu),
          },
        ]),
    { text: 'Recent runs', value: async () => recent(menu) },
    { text: 'Reload', value: () => menu.hooks.reload() },
  ];
}

async function browse(
  title: string,
  listed: readonly MenuHook[],
  keyOf: (row: MenuRow) => string,
  menu: MenuContext,
): Promise<void> {
  const groups = new Map<string, MenuHook[]>();
  for (const entry of listed) groups.set(keyOf(entry.row), [...(groups.get(keyOf(entry.row)) ?? []), entry]);
  const inOrder = [...groups].toSorted(([a], [b]) => rank(a) - rank(b));
  const choices = inOrder.map(([text, value]) => ({
    text: `${text}  ${counted(value.length, 'hook')}`,
    value,
  }));
  const chosen = choices.length === 1 ? choices[0]!.value : await choose(menu, title, choices);
  if (chosen !== undefined) await pick(title, chosen, menu);
}
/** Sorts layers in their own order and keeps the order of everything else. */
const rank = (text: string): number => (LAYERS as readonly string[]).indexOf(text);

/** Returns to the list after a view, and to the top after a change, because other rows may have changed. */
async function pick(title: string, listed: readonly MenuHook[], menu: MenuContext): Promise<void> {
  for (;;) {
    const choices = listed.map((value) => ({ text: lineOf(value, menu), value }));
    const chosen = await choose(menu, title, choices);
    if (chosen === undefined || (await hookPage(chosen, menu))) return;
  }
}

/** Short, because a row is one line. */
const WAITS = {
  trusted: 'broken',
  unknown: 'waits for trust',
  modified: 'modified, waits',
  untrustable: 'untrustable',
} as const;

function lineOf({ row }: MenuHook, { screen }: MenuContext): string {
  const state = row.isOff ? 'off' : row.enabled ? 'on' : row.trust === 'yours' ? 'broken' : WAITS[row.trust];
  const what = [row.event, row.matcher, row.label].filter((part) => part !== undefined).join('  ');
  return brief(
    `[${state}] ${what}  ${shortPath(row.file, screen)}:${row.line}`,
    Math.max(40, screen.width - 6),
  );
}

function recent({ ui, locations, screen }: MenuContext): void {
  const lines = recentEvents(locations, screen);
  ui.notify(lines.length === 0 ? 'Nothing was recorded.' : lines.join('\n'));
}
