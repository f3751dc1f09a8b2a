import { candidates } from './javascript.ts';
import type { ReadLanguage } from './language.ts';

/** The files that a name without ending, or a folder, may mean in a language. */
export function endingsOf(path: string, language: ReadLanguage | undefined): string[] {
  if (language === 'javascript') return candidates(path);
  if (language === 'python') return [`${path}/__main__.py`];
  return language === 'ruby' ? [`${path}.rb`] : [];
}
