import { isUtf8 } from 'node:buffer';
import { javascriptLoose, javascriptRefs } from './refs/javascript.ts';
import { languageOf } from './refs/language.ts';
import { quotedCode } from './refs/literals.ts';
import { pythonFiles, pythonLoose, pythonRefs } from './refs/python.ts';
import { walkShell, type FoundWord, type ShellFacts } from './shell/walk.ts';

/** Where a file of code leads by literal paths. What does not exist is nobody's reference. */
export interface Leads {
  /** From the folder of the file. */
  readonly near: readonly string[];
  /** From the folder of the program that runs it. */
  readonly nearZero: readonly string[];
  /** Words of a shell script. */
  readonly found: readonly FoundWord[];
  /** What is only known when it runs. */
  readonly loose: readonly string[];
}

const NOWHERE: Leads = { near: [], nearZero: [], found: [], loose: [] };

export function follow(
  file: { readonly name: string; readonly bytes: Buffer },
  facts: ShellFacts,
  isFolder: (near: string) => boolean,
): Leads {
  const language = languageOf(file.name, file.bytes);
  if (language === 'none') return NOWHERE;
  const text = file.bytes.toString('utf8');
  if (language === 'shell') return followShell(file.bytes, facts);
  if (language === 'python') return followPython(text, isFolder);
  if (language === 'other') return { ...NOWHERE, near: unique(quotedCode(text)) };
  return { ...NOWHERE, near: unique(javascriptRefs(text)), loose: present(javascriptLoose(text)) };
}

function followShell(bytes: Buffer, facts: ShellFacts): Leads {
  const found: FoundWord[] = [];
  // A text that does not survive decoding is copied as it is, and no word of it can be replaced.
  const isText = isUtf8(bytes);
  const walked = walkShell(bytes.toString('utf8'), facts, (word) => {
    const stays = word.stays || (!isText && !word.self);
    if (word.role === 'run' || word.role === 'source') found.push({ ...word, stays });
    return undefined;
  });
  const unread = walked.error === undefined ? [] : [`not all of it could be parsed (${walked.error})`];
  return { ...NOWHERE, found, loose: [...unread, ...walked.loose] };
}

function followPython(text: string, isFolder: (near: string) => boolean): Leads {
  const refs = pythonRefs(text);
  const folders = ['.', ...refs.folders.filter((folder) => isFolder(folder))];
  const searched = folders.flatMap((folder) => refs.searched.flatMap((m) => pythonFiles(`${folder}/${m}`)));
  return {
    ...NOWHERE,
    near: unique([...refs.own.flatMap(pythonFiles), ...searched, ...refs.files]),
    nearZero: unique(refs.searched.flatMap(pythonFiles)),
    loose: present(pythonLoose(text)),
  };
}

const unique = (list: readonly string[]): string[] => [...new Set(list)];
const present = (note: string | undefined): string[] => (note === undefined ? [] : [note]);
