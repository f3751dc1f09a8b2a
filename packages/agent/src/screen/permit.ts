/** A permission, asked in a dialog: the very call that would run, and why somebody wants it looked at. */
import type { Dialogs, Permission, Person } from '../front/person.ts';

const ONCE = 'Yes, this once';
const DENY = 'No';

export function permit(dialogs: Pick<Dialogs, 'select'>): Person['permit'] {
  return async ({ title, reasons, rule, changed }, signal): Promise<Permission> => {
    const always = `Yes, and ${rule} for the rest of this session`;
    const about = [
      `May this run?  ${title}`,
      ...(changed.length === 0 ? [] : [`A hook changed: ${changed.join(', ')}`]),
      ...reasons,
    ];
    const chosen = await dialogs.select(about.join('\n'), [ONCE, always, DENY], signal);
    return chosen === ONCE ? 'once' : chosen === always ? 'always' : 'deny';
  };
}
