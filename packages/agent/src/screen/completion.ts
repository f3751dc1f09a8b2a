/** What can follow what is typed: commands after a slash, files after an @. */
import {
  type AutocompleteProvider,
  CombinedAutocompleteProvider,
  type SlashCommand,
} from './packed-pi-tui.ts';

export function completion(commands: readonly SlashCommand[], cwd: string): AutocompleteProvider {
  const found = new CombinedAutocompleteProvider([...commands], cwd);
  return {
    getSuggestions: (...asked) => found.getSuggestions(...asked),
    shouldTriggerFileCompletion: (...asked) => found.shouldTriggerFileCompletion(...asked),
    applyCompletion(lines, row, column, item, prefix) {
      // The list may be older than the line: who types fast has gone on since it was made.
      const typed = (lines[row] ?? '').slice(0, column);
      const now = /^\/\S*$/.test(typed) && typed.startsWith(prefix) ? typed : prefix;
      return found.applyCompletion(lines, row, column, item, now);
    },
  };
}
