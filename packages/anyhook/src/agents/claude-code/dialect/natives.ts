import { makeNatives } from '../../../events/natives.ts';

/** What came from Claude Code or its SDK. Others say the same words about calls that they spell their own way. */
export const natives = makeNatives();
