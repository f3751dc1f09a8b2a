/** Where a plugin's files hold hooks: its hooks file, its manifest, or its entry in the marketplace's list. */
import { basename } from 'node:path';
import type { Spot } from '../../../events/checker.ts';
import type { Place } from '../../../events/dialect.ts';
import { isFields } from '../../../events/fields.ts';

/** Each a table of events. Names of further files are places of their own. */
export function pluginHooks(root: Spot, { file, plugin }: Place): readonly Spot[] {
  const name = basename(file);
  if (name === 'plugin.json') return tables(root.part('hooks'));
  if (name !== 'marketplace.json' && plugin !== undefined) return [root.part('hooks')];
  const list = root.part('plugins');
  const own = plugin?.name.slice(0, plugin.name.lastIndexOf('@'));
  const entries = Array.isArray(list.value) ? list.value : [];
  const at = entries.findIndex((one) => isFields(one) && one['name'] === own);
  return at < 0 ? [] : tables(list.part(at).part('hooks'));
}

function tables(hooks: Spot): Spot[] {
  if (!Array.isArray(hooks.value)) return typeof hooks.value === 'string' ? [] : [hooks];
  return hooks.value.flatMap((one, index) => (typeof one === 'string' ? [] : [hooks.part(index)]));
}
