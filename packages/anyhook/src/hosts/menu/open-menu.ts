/** `anyhook hooks`, and `/hooks` in the agent: browse, switch, edit, try, trust. One code, whoever draws the dialogs. */
import { type Hook, LAYERS } from '../../canon/hook.ts';
import { paintFor } from '../../views/paint.ts';
import { brief } from '../../views/safe.ts';
import { shortPath } from '../../views/screen.ts';
import { projectGround } from '../library/project-root.ts';
import { hookMenu, type MenuRow } from './rows.ts';
import { type Choice, choose, type Desk } from './desk.ts';
import { hookPage, type Listed } from './hook-page.ts';
import { recentEvents } from './recent-runs.ts';
import { offByOwnSwitch } from './switch-hook.ts';

export interface MenuOptions extends Pick<Desk, 'ui' | 'hooks'>, Partial<Desk['where']> {
  readonly screen?: Partial<Pick<Desk['screen'], 'paint' | 'width'>>;
}

/** Resolves when the person leaves. What they change holds at once: the hooks are read anew. */
export async function openMenu({ ui, hooks, screen, ...where }: MenuOptions): Promise<void> {
  const ground = projectGround(where);
  const plain = paintFor({ isTTY: false }, {});
  const { cwd, home } = ground;
  const desk: Desk = { ui, hooks, where, ground, screen: { paint: plain, width: 80, cwd, home, ...screen } };
  for (;;) {
    const listed = listedBy(desk);
    if (listed.length === 0) return ui.notify('No hooks were found.');
    const next = await choose(desk, heading(listed), sections(listed, desk));
    if (next === undefined) return;
    await next();
  }
}

/** Every hook, also what is switched off. */
export function listedBy({ hooks, ground }: Pick<Desk, 'hooks' | 'ground'>): Listed[] {
  const off = [
    ...(hooks.disabled ?? []),
    ...offByOwnSwitch([...hooks.hooks, ...(hooks.disabled ?? [])], ground),
  ];
  const all = [...hooks.hooks, ...off];
  const byId = new Map(all.map((hook) => [hook.id, hook]));
  const asWritten = (id: string): Hook | undefined =>
    hooks.examined.find(({ hook }) => hook?.id === id)?.hook ?? byId.get(id);
  return hookMenu({ hooks: hooks.hooks, disabled: off, examined: hooks.examined }).flatMap((row) => {
    const hook = asWritten(row.id);
    return hook === undefined || row.file === '(built in)' ? [] : [{ row, hook }];
  });
}

function heading(listed: readonly Listed[]): string {
  const files = new Set(listed.map(({ row }) => row.file)).size;
  const off = listed.filter(({ row }) => row.isOff).length;
  return `${counted(listed.length, 'hook')} in ${counted(files, 'file')}${off === 0 ? '' : `, ${off} off`}`;
}
const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

function sections(listed: readonly Listed[], desk: Desk): Choice<() => Promise<void>>[] {
  const waiting = listed.filter(({ row }) => row.trust === 'unknown' || row.trust === 'modified');
  const by = (text: string, keyOf: (row: MenuRow) => string) => ({
    text,
    value: () => browse(text, listed, keyOf, desk),
  });
  return [
    by('By file', ({ file }) => shortPath(file, desk.screen)),
    by('By event', ({ event, dialect }) => `${event} (${dialect})`),
    by('By layer', ({ layer }) => layer),
    { text: 'All', value: () => pick('All hooks', listed, desk) },
    ...(waiting.length === 0
      ? []
      : [
          {
            text: `Waiting for trust: ${waiting.length}`,
            value: () => pick('Waiting for trust', waiting, desk),
          },
        ]),
    { text: 'Recent runs', value: async () => recent(desk) },
    { text: 'Reload', value: () => desk.hooks.reload() },
  ];
}

async function browse(
  title: string,
  listed: readonly Listed[],
  keyOf: (row: MenuRow) => string,
  desk: Desk,
): Promise<void> {
  const groups = new Map<string, Listed[]>();
  for (const one of listed) groups.set(keyOf(one.row), [...(groups.get(keyOf(one.row)) ?? []), one]);
  const inOrder = [...groups].toSorted(([a], [b]) => rank(a) - rank(b));
  const choices = inOrder.map(([text, value]) => ({
    text: `${text}  ${counted(value.length, 'hook')}`,
    value,
  }));
  const chosen = choices.length === 1 ? choices[0]!.value : await choose(desk, title, choices);
  if (chosen !== undefined) await pick(title, chosen, desk);
}
/** Layers in their own order, everything else as it was found. */
const rank = (text: string): number => (LAYERS as readonly string[]).indexOf(text);

/** Back to the list after a look; back to the top after a change, for the rest may have changed with it. */
async function pick(title: string, listed: readonly Listed[], desk: Desk): Promise<void> {
  for (;;) {
    const choices = listed.map((value) => ({ text: lineOf(value, desk), value }));
    const chosen = await choose(desk, title, choices);
    if (chosen === undefined || (await hookPage(chosen, desk))) return;
  }
}

function lineOf({ row }: Listed, { screen }: Desk): string {
  const state = row.isOff ? 'off' : row.enabled ? 'on' : row.trust === 'yours' ? 'broken' : row.trust;
  const what = [row.event, row.matcher, row.label].filter((part) => part !== undefined).join('  ');
  return brief(
    `[${state}] ${what}  ${shortPath(row.file, screen)}:${row.line}`,
    Math.max(40, screen.width - 6),
  );
}

function recent({ ui, ground, screen }: Desk): void {
  const lines = recentEvents(ground, screen);
  ui.notify(lines.length === 0 ? 'Nothing was recorded.' : lines.join('\n'));
}
