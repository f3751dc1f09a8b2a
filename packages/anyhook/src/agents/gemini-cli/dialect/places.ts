/** Where Gemini CLI keeps its hooks: its settings, the project's, and those of installed extensions. */
import { isAbsolute, join } from 'node:path';
import type { Locations, Place } from '../../../events/dialect.ts';
import { readDocument } from '../../../events/document.ts';
import type { Fields } from '../../../events/effects.ts';
import { isFields } from '../../../events/fields.ts';

export function places(locations: Locations): Place[] {
  const { home, cwd } = locations;
  const user = isAbsolute(home) ? [join(home, '.gemini', 'settings.json')] : [];
  const project = join(cwd, '.gemini', 'settings.json');
  return [
    ...user.map((file): Place => ({ layer: 'user', file })),
    ...(user.length === 0 ? [] : extensionPlaces(locations)),
    ...(user.includes(project) ? [] : [{ layer: 'project', file: project } satisfies Place]),
  ];
}

/** Extensions are folders of the user's; one that was linked is only named there and lies elsewhere. */
function extensionPlaces({ home, cwd, list = () => [], read = () => undefined }: Locations): Place[] {
  const folder = join(home, '.gemini', 'extensions');
  const fields = (file: string): Fields => {
    const text = read(file);
    const value = text === undefined ? undefined : readDocument(text, file).value;
    return isFields(value) ? value : {};
  };
  const names = list(folder);
  const enablement = names.length === 0 ? {} : fields(join(folder, 'extension-enablement.json'));
  return names.flatMap((name) => {
    const { type, source } = fields(join(folder, name, '.gemini-extension-install.json'));
    const root =
      type === 'link' && typeof source === 'string' && isAbsolute(source) ? source : join(folder, name);
    const extension = fields(join(root, 'gemini-extension.json'))['name'];
    if (typeof extension !== 'string' || !isEnabled(enablement[extension], cwd)) return [];
    return [
      {
        layer: 'user' as const,
        file: join(root, 'hooks', 'hooks.json'),
        plugin: { name: extension, root },
        vars: { extensionPath: root, workspacePath: cwd },
      },
    ];
  });
}

/** Rules are folders, `!` switches off, `*` is everything below; the last rule that fits counts. On without a rule. */
function isEnabled(entry: unknown, cwd: string): boolean {
  const rules = isFields(entry) && Array.isArray(entry['overrides']) ? entry['overrides'] : [];
  const rule = rules
    .filter((one) => typeof one === 'string')
    .findLast((one) => {
      const path = one.replace(/^!/, '').replace(/\/$/, '');
      if (!path.endsWith('*')) return cwd === path;
      const head = path.slice(0, -1);
      return `${cwd}/`.startsWith(head);
    });
  return rule?.startsWith('!') !== true;
}
