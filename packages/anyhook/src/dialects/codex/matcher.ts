import type { Spot } from '../../canon/checker.ts';
import type { Hook } from '../../canon/hook.ts';
import { readMatcher as readShaped } from '../command-shaped/matcher.ts';
import { type CodexWord, codexEvent } from './events.ts';
import { codexFieldsOf } from './payload.ts';

/** A group's `matcher`, about the field that Codex would send. */
export const readMatcher = (spot: Spot, word: CodexWord): Pick<Hook, 'match' | 'when'> =>
  readShaped(spot, word, codexEvent(word), codexFieldsOf);
