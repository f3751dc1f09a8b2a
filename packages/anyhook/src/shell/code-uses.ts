/** Finds the files that code in any language reads, writes or deletes by name, and the addresses that it names. */

import { argumentsOf, callsOf } from './code-arguments.ts';
import { codePlaceOf, type CodeText } from './code-texts.ts';
import type { CodeUse } from './inner.ts';
import { fixedWord } from './word.ts';

type Does = CodeUse['does'];

const WRITES =
  /\b(?:writeFile(?:Sync)?|appendFile(?:Sync)?|outputFile(?:Sync)?|createWriteStream|writeTextFile(?:Sync)?|truncate(?:Sync)?|Bun\.write|file_put_contents|(?:File|IO)\.write|write_file|touch)\s*(?=\()/g;
const READS =
  /\b(?:readFile(?:Sync)?|createReadStream|readTextFile(?:Sync)?|Bun\.file|file_get_contents|readfile|(?:File|IO)\.(?:read|readlines|foreach)|load_dotenv|dotenv_values)\s*(?=\()/g;
const OPENS = /\b(?:f?open|openSync|File\.new)\b\s*(?=[(\s\uE001])/g;
/** Reads the first path and writes the last. */
const COPIES =
  /\b(?:copyfile|copy2?|copyFile(?:Sync)?|cp(?:Sync)?|copytree|move|mv|rename(?:Sync)?|os\.replace|link(?:Sync)?)\s*(?=\()/g;
const MODE = /^(?:[rwax][bt+]{0,2}|\+?>{1,2}|\+?<)(?::\S*)?$/;

/** `Path("x").write_text(…)`, and `p.write_text(…)` after `p = Path("x")`. */
const METHOD =
  /(?:\(\s*\uE001([\u{F0000}-\u{FFFFD}])\s*\)|\b([A-Za-z_]\w{0,40}))\s*\.\s*(write_(?:text|bytes)|read_(?:text|bytes)|touch|unlink|rmdir|rmtree|delete|open|rename|replace)\s*(\([^)]{0,200})?/gu;
const MADE_PATH = /\b([A-Za-z_]\w{0,40})\s*=\s*(?:\w+\.)?\w+\(\s*\uE001([\u{F0000}-\u{FFFFD}])\s*\)/gu;

export function usesIn(
  skeleton: string,
  texts: readonly CodeText[],
  known: ReadonlyMap<string, number>,
): readonly CodeUse[] {
  const found: CodeUse[] = [];
  const put = (does: Does, text: CodeText | undefined): void => {
    if (text?.fixed === true && text.value !== '') found.push({ does, target: fixedWord(text.value) });
  };
  const given = (pattern: RegExp) =>
    callsOf(pattern, skeleton).map((call) => argumentsOf(call, texts, known));
  for (const [path] of given(WRITES)) put('write', path);
  for (const [path] of given(READS)) put('read', path);
  for (const args of given(OPENS)) opened(args, put);
  for (const args of given(COPIES)) {
    if (args.length < 2) continue;
    put('read', args[0]);
    put('write', args.at(-1));
  }
  methodUses(skeleton, texts, known, put);
  for (const text of texts) if (/^https?:\/\/\S+$/.test(text.value)) put('fetch', text);
  return found;
}

/** Perl may write the mode and the path in one text: `open F, ">x"`. */
function opened(args: readonly CodeText[], put: (does: Does, text: CodeText | undefined) => void): void {
  const path = args.find(({ value }) => !MODE.test(value));
  if (path === undefined) return;
  const [, joined, rest] = /^(\+?[<>]{1,2})\s*(.+)$/s.exec(path.value) ?? [];
  const mode = joined ?? args.find(({ value }) => MODE.test(value))?.value ?? 'r';
  put(/[wax+>]/.test(mode) ? 'write' : 'read', rest === undefined ? path : { ...path, value: rest });
}

const METHODS: Readonly<Record<string, Does>> = {
  read_text: 'read',
  read_bytes: 'read',
  unlink: 'delete',
  rmdir: 'delete',
  rmtree: 'delete',
  delete: 'delete',
};

function methodUses(
  skeleton: string,
  texts: readonly CodeText[],
  known: ReadonlyMap<string, number>,
  put: (does: Does, text: CodeText | undefined) => void,
): void {
  const paths = new Map(known);
  for (const [, name = '', letter = ''] of skeleton.matchAll(MADE_PATH)) paths.set(name, codePlaceOf(letter));
  for (const [, letter, name = '', method = '', args = ''] of skeleton.matchAll(METHOD)) {
    const path = texts[letter === undefined ? (paths.get(name) ?? -1) : codePlaceOf(letter)];
    if (path === undefined) continue;
    const mode = /\uE001([\u{F0000}-\u{FFFFD}])/u.exec(args)?.[1];
    const isRead = method === 'open' && !/[wax+]/.test(texts[codePlaceOf(mode ?? '')]?.value ?? '');
    put(isRead ? 'read' : (METHODS[method] ?? 'write'), path);
  }
}
