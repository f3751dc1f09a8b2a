import type { OnFailure } from '../../canon/hook.ts';

export { sharing } from '../claude-shaped/together.ts';

/** Whatever goes wrong, the action goes on. */
export const failure = (_word: string): OnFailure => 'allow';
