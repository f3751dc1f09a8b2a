import type { SharedV3ProviderOptions } from '@ai-sdk/provider';

/** The purpose of a request to a scripted model: conversation, subagent, compaction summary, title or judge. */
export type Track = 'main' | 'summary' | 'title' | 'judge' | `task:${string}`;

/**
 * Provider options that set the track of a request; only the scripted model reads them. Each conversation (subagent
 * id) starts its track at the beginning. Without an id the track continues.
 */
export const onTrack = (track: Track, conversation?: string): SharedV3ProviderOptions => ({
  scripted: { track, ...(conversation !== undefined && { conversation }) },
});
