/** Dialects whose settings an agent reads and runs by itself: in a bridge they are left to it, or they would run twice. */
export const NATIVE: Readonly<Record<string, readonly string[]>> = {
  'claude-code': ['claude-code'],
  codex: ['codex'],
  gemini: ['gemini-cli'],
  'gemini-cli': ['gemini-cli'],
  // Goose 1.52 runs the hooks of its plugins, and none of the files that its document names.
  goose: ['goose@/.agents/plugins/'],
  opencode: ['opencode'],
  opta: ['opta'],
  'oh-my-pi': ['oh-my-pi'],
  // pi reads its own folders, not those of oh-my-pi.
  pi: [],
};

/** An agent we have no row for runs, as far as we know, none of the files we read. */
export const nativeTo = (host: string): readonly string[] => NATIVE[host] ?? [];
