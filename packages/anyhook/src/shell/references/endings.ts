import { candidates } from './javascript.ts';
import type { ReadLanguage } from './language.ts';

/** The files that a name without its ending, or a folder, may mean to what reads it. */
export function endingsOf(path: string, language: ReadLanguage | undefined): string[] {
  if (language === 'javascript') return candidates(path);
  if (language === 'python') return [`${path}/__main__.py`];
  return language === 'ruby' ? [`${path}.rb`] : [];
}
