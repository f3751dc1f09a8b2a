import type { Outcome } from '../../events/outcome.ts';
import { warn } from './warn.ts';

/** What could not be done, where the program listens to no outcome. */
export const sayLost = ({ lost }: Outcome): void => {
  for (const text of lost) warn('hooks', text);
};
