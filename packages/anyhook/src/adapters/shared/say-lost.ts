import type { Outcome } from '../../events/outcome.ts';
import { warn } from './warn.ts';

/** Warns about lost effects if the program does not receive outcomes. */
export const sayLost = ({ lost }: Outcome): void => {
  for (const text of lost) warn('hooks', text);
};
