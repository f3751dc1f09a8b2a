/** Asks for permission in a dialog that shows the exact call and the reasons for the question. */
import type { Dialogs, Permission, Person } from '../front/person.ts';

const ONCE = 'Yes, this once';
const DENY = 'No';
const SAY = 'No, and tell it what to do instead';

export function permit(dialogs: Pick<Dialogs, 'select' | 'input'>): Person['permit'] {
  return async ({ title, reasons, rule, changed }, signal): Promise<Permission> => {
    const always = `Yes, and ${rule} for the rest of this session`;
    const about = [
      `May this run?  ${title}`,
      ...(changed.length === 0 ? [] : [`A hook changed: ${changed.join(', ')}`]),
      ...reasons,
    ];
    const chosen = await dialogs.select(about.join('\n'), [ONCE, always, DENY, SAY], signal);
    if (chosen === SAY) {
      const words = (await dialogs.input('What should it do instead?', '', signal))?.trim() ?? '';
      return words === '' ? 'deny' : { no: words };
    }
    return chosen === ONCE ? 'once' : chosen === always ? 'always' : 'deny';
  };
}
