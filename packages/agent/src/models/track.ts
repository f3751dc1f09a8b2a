import type { SharedV3ProviderOptions } from '@ai-sdk/provider';

/** Who asks a scripted model: the conversation itself, a subagent, the summary of a compaction, a session's title, a hook's judge. */
export type Track = 'main' | 'summary' | 'title' | 'judge' | `task:${string}`;

/**
 * Provider options that name the track of a request; other providers do not look at them. Each conversation (a
 * subagent's id) plays its track from the beginning; without one the track goes on where it was.
 */
export const onTrack = (track: Track, conversation?: string): SharedV3ProviderOptions => ({
  scripted: { track, ...(conversation !== undefined && { conversation }) },
});
