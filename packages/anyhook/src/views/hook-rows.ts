/** `anyhook list`: every hook found, one row each. */
import { type Hook, label } from '../canon/hook.ts';
import { columns } from './columns.ts';
import type { Paint } from './paint.ts';
import { brief } from './safe.ts';

export interface HookRow {
  readonly hook: Hook;
  readonly trust: string;
  readonly onFailure: string;
  /** A moment the host lacks, and where the hook is fired instead. */
  readonly at?: string;
}

export function hookRows(rows: readonly HookRow[], paint: Paint): string[] {
  const head = ['LAYER', 'DIALECT', 'EVENT', 'MATCH', 'TRUST', 'IF IT BREAKS', 'RUNS', 'FROM'];
  return columns([
    head.map((cell) => paint('bold', cell)),
    ...rows.map(({ hook, trust, onFailure, at }) => [
      hook.origin.layer,
      hook.dialect,
      at === undefined ? hook.on : `${hook.on} (at ${at})`,
      brief(hook.matcher ?? '*', 30),
      trust === 'waits' ? paint('yellow', 'waits for trust') : trust,
      onFailure,
      brief(hook.run.kind === 'missing' ? `(${hook.run.why.kind}) ${hook.id}` : label(hook), 50),
      paint('dim', `${hook.origin.file}:${hook.origin.line}`),
    ]),
  ]);
}
