/** Shows exactly what will run, or what has changed since it was trusted; the person says yes, or nothing happens. */
import { show } from '../events/problems.ts';
import { safe } from '../render/safe.ts';
import type { MenuRow } from './rows.ts';
import { contentsOf, summaryOf } from '../console/examined.ts';
import type { MenuContext } from './context.ts';

export async function trustOne(
  { hash }: MenuRow,
  { ui, hooks, screen }: MenuContext,
): Promise<'changed' | void> {
  const one = hooks.examined.find(({ judgement }) => judgement.hash === hash);
  if (one === undefined)
    return ui.notify('It is no longer what was looked at; leave, and look again.', 'error');
  ui.notify([...summaryOf(one, screen), ...contentsOf(one, screen)].join('\n'));
  if (!(await ui.confirm('Trust exactly this?', one.judgement.hash))) return;
  const result = hooks.grant(one.entry);
  if (result.kind === 'failed') return ui.notify(safe(show(result.problem)), 'error');
  ui.notify(`Trusted ${one.judgement.hash}.`);
  return 'changed';
}
