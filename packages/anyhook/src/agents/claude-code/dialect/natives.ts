import { makeNatives } from '../../../events/natives.ts';

/**
 * Payloads from Claude Code or its SDK. Other agents may use the same event names with different spellings of calls.
 */
export const natives = makeNatives();
