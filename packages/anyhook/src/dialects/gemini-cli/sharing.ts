import type { OnFailure } from '../../canon/hook.ts';

/** One `sequential` group makes all of them wait in Gemini; see the list of gaps. */
export { sharing } from '../claude-shaped/together.ts';

/** A hook that cannot start or runs out of time lets the action pass. */
export const failure = (_word: string): OnFailure => 'allow';
