/**
 * Finds the commands and deletions in inline code of another language. Code without calls that run or create code yields
 * nothing. Names that the code computes at run time make it unjudgeable.
 */

import { argumentsOf, callsOf } from './code-arguments.ts';
import { CALLS, type CodeLanguage } from './code-calls.ts';
import { MARK, markOf, codePlaceOf, codeTextsIn, type CodeText } from './code-texts.ts';
import { usesIn } from './code-uses.ts';
import { type Inner, NOTHING, runs, runsText, combine, unjudgeable } from './inner.ts';
import { CUT } from './limits.ts';
import { clip, fixedWord, HOLE, type ShellWord } from './word.ts';

const LONGEST_CODE = 16 * 1024;

export function codeIn(code: string, language: CodeLanguage, name: string): Inner {
  if (code.length > LONGEST_CODE || code.includes(CUT)) {
    const inner = unjudgeable(`${name}: its program is too long`);
    return { ...inner, fed: inner.unjudgeable };
  }
  if (language === 'make') return makefile(code, name);
  const calls = CALLS[language];
  const plain = TCL.test(name) ? withoutBraces(code) : language === 'perl' ? withGlobs(code) : code;
  const { skeleton: raw, texts: found } = codeTextsIn(plain, language);
  const { skeleton, texts } = joined(raw, found);
  const made = first(calls.makes, skeleton);
  const parts: Inner[] =
    made === undefined
      ? []
      : [unjudgeable(`${name}: its code makes code at run time: ${clip(shown(made, texts))}`)];
  if (language === 'python' && EMPTIES.test(skeleton))
    parts.push(unjudgeable(`${name}: its code deletes what it finds in a folder, and the folder`));
  parts.push(emptied(language, skeleton, texts));
  for (const text of texts) if (text.isShell) parts.push(shellText(text, name));
  const known = constants(skeleton);
  const { module } = calls;
  const loads = module !== undefined && texts.some(({ value }) => module.name.test(value));
  for (const pattern of loads ? [calls.runs, module.runs] : [calls.runs])
    for (const call of callsOf(pattern, skeleton)) parts.push(runOf(call, { texts, known, language, name }));
  for (const call of callsOf(calls.removesTrees, skeleton)) parts.push(removal('-rf', call, texts, known));
  for (const call of callsOf(calls.removesFiles, skeleton)) parts.push(removal('-f', call, texts, known));
  if (loads && parts.length === 0)
    parts.push(unjudgeable(`${name}: its code runs programs in a way that cannot be read`));
  return combine(
    ...parts,
    { ...NOTHING, used: usesIn(skeleton, texts, known) },
    ...nested(texts, language, name),
  );
}

/** In Tcl, braces quote a text. */
const TCL = /^(?:tclsh|wish|expect)[\d.]*$/;
const withoutBraces = (code: string): string =>
  code.replaceAll(/\{([^{}']*)\}/g, (_, text: string) => `'${text}'`);

/** `unlink </home/me/*>` is a glob without quotes. */
const withGlobs = (code: string): string => code.replaceAll(/<([~/][^<>\s'"]*)>/g, "glob('$1')");

/** Code that deletes the files it lists does what `rm -rf` does to every folder that it names. */
function emptied(language: CodeLanguage, skeleton: string, texts: readonly CodeText[]): Inner {
  const { lists, removesFiles } = CALLS[language];
  if (first(lists, skeleton) === undefined || first(removesFiles, skeleton) === undefined) return NOTHING;
  const folders = texts
    .filter(({ value }) => /^(?:[~/]|\.\.)/.test(value))
    .map(({ value }) => fixedWord(value));
  const home = HOME.test(skeleton) ? [fixedWord('~/')] : [];
  return folders.length + home.length === 0
    ? NOTHING
    : runs([fixedWord('rm'), fixedWord('-rf'), ...folders, ...home]);
}
const HOME = /\b(?:Path\.home|homedir|expanduser|Dir\.home|HOME)\b/;

/** Deletes the files and then the folder, as `rmtree` does. */
const EMPTIES =
  /\b(?:iterdir|rglob|glob|scandir|listdir|walk)\s*\([^]*\brmdir\b|\b(?:unlink|remove)\s*\([^]*\b(?:iterdir|rglob|glob|scandir|listdir|walk)\s*\([^]*\brmdir\b/;

const shown = (text: string, texts: readonly CodeText[]): string =>
  text.replaceAll(MARK, (_, letter: string) => JSON.stringify(texts[codePlaceOf(letter)]?.value ?? ''));

/** `import('data:text/javascript,…')`: code in a string. */
function nested(texts: readonly CodeText[], language: CodeLanguage, name: string): Inner[] {
  return texts.flatMap(({ value }) => {
    const code = language === 'js' && value.startsWith('data:') ? dataUrl(value) : undefined;
    return code === undefined ? [] : [codeIn(code, 'js', name)];
  });
}

export function dataUrl(url: string): string | undefined {
  const [, kind = '', body = ''] = /^data:([^,]*),(.*)$/s.exec(url) ?? [];
  if (body === '') return undefined;
  try {
    return kind.endsWith(';base64') ? Buffer.from(body, 'base64').toString('utf8') : decodeURIComponent(body);
  } catch {
    return body;
  }
}

const shellText = ({ value, fixed }: CodeText, name: string): Inner =>
  fixed
    ? runsText(fixedWord(value))
    : combine(
        runsText(fixedWord(value)),
        unjudgeable(`${name}: its code puts a command together at run time: ${clip(value)}`),
      );

/** Joins adjacent strings into one. */
function joined(
  raw: string,
  found: readonly CodeText[],
): { readonly skeleton: string; readonly texts: readonly CodeText[] } {
  const texts = [...found];
  const skeleton = raw
    .replaceAll(JOINED, (run) => {
      const parts = [...run.matchAll(MARK)].flatMap(([, letter = '']) => found[codePlaceOf(letter)] ?? []);
      texts.push({
        value: parts.map(({ value }) => value).join(''),
        isShell: false,
        fixed: parts.every(({ fixed }) => fixed),
      });
      return markOf(texts.length - 1);
    })
    // `x["execSync"]` is `x.execSync`.
    .replaceAll(/\[\s*\uE001([\u{F0000}-\u{FFFFD}])\s*\]/gu, (whole, letter: string) => {
      const { value = '' } = texts[codePlaceOf(letter)] ?? {};
      return /^\w+$/.test(value) ? `.${value}` : whole;
    });
  return { skeleton, texts };
}
const JOINED = /\uE001[\u{F0000}-\u{FFFFD}](?:\s*(?:\+|\.{1,2})\s*\uE001[\u{F0000}-\u{FFFFD}])+/gu;

/** `cmd = "rm y"`: variables with one string as their value. */
function constants(skeleton: string): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const [, name = '', letter = ''] of skeleton.matchAll(
    /([$@]?[A-Za-z_]\w{0,40})\s{0,4}:?=\s{0,4}\uE001([\u{F0000}-\u{FFFFD}])(?=\s{0,4}[;\n)]|$)/gu,
  ))
    found.set(name, codePlaceOf(letter));
  return found;
}

const first = (pattern: RegExp, text: string): string | undefined => {
  pattern.lastIndex = 0;
  const match = pattern.exec(text);
  return match === null ? undefined : text.slice(match.index, match.index + 80);
};

interface Code {
  readonly texts: readonly CodeText[];
  readonly known: ReadonlyMap<string, number>;
  readonly language: CodeLanguage;
  readonly name: string;
}

/** One text is a command line. Several are the words of a command, or a command line and options. */
function runOf(call: string, { texts, known, language, name }: Code): Inner {
  const args = argumentsOf(call, texts, known);
  if (args.length === 0 && language === 'other')
    return runsText(fixedWord(call.slice(call.indexOf('\n') + 1).replaceAll(/\{([^{}']*)\}/g, "'$1'")));
  if (args.length === 0)
    return unjudgeable(
      `${name}: its code runs a command that is known only at run time: ${clip(call.replace('\n', ''))}`,
    );
  const made =
    /\.join\s*\(|\b(?!expanduser|join|homedir|cwd|str|list|dict|String|resolve|Path|getenv|format|pipe)[A-Za-z_]\w*\s*\(/.test(
      call.slice(call.indexOf('\n') + 2).replace(/^\(/, ''),
    )
      ? unjudgeable(`${name}: its code puts a command together at run time: ${clip(shown(call, texts))}`)
      : NOTHING;
  const lines = args
    .filter(({ value }, at) => /\s/.test(value.trim()) || (at === 0 && /[{}$`;|&]/.test(value)))
    .map((text) => shellText(text, name));
  const words = args.map(({ value, fixed }): ShellWord => (fixed ? fixedWord(value) : { ...HOLE, value }));
  return combine(made, ...lines, /^[\w./~-]+$/.test(args[0]?.value ?? '') ? runs(words) : NOTHING);
}

/** `shutil.rmtree(x)` does what `rm -rf x` does. */
function removal(
  option: string,
  call: string,
  texts: readonly CodeText[],
  known: ReadonlyMap<string, number>,
): Inner {
  const args = argumentsOf(call, texts, known);
  const isTree = /\brecursive\s*[=:]\s*(?:TRUE|true|T|True|1)\b/.test(call);
  const paths = args.length === 0 ? receivers(texts, call) : args.map(({ value }) => fixedWord(value));
  return runs([fixedWord('rm'), fixedWord(isTree ? '-rf' : option), ...paths]);
}

/** `Pathname.new("/x").rmtree`: the path precedes a call without arguments. */
function receivers(texts: readonly CodeText[], call: string): readonly ShellWord[] {
  const paths = texts
    .filter(({ value }) => /^(?:[~/]|\.\.)/.test(value))
    .map(({ value }) => fixedWord(value));
  return paths.length > 0 ? paths : [{ ...HOLE, value: clip(call.slice(call.indexOf('\n') + 1)) }];
}

/** The texts that make passes to a shell: recipes, `$(shell …)` and `!=`. */
function makefile(text: string, name: string): Inner {
  const lines = text.replaceAll('\\\n', '').split('\n');
  const recipes = lines.flatMap((line) => {
    const recipe =
      /^\t(.*)$/s.exec(line)?.[1] ??
      /^[^#\n=]*?::?[^=;]*;(.*)$/s.exec(line)?.[1] ??
      /!=(.*)$/s.exec(line)?.[1] ??
      /^\s+command\s*=(.*)$/s.exec(line)?.[1];
    return recipe === undefined ? [] : [recipe.replace(/^[@+\s-]+/, '').replaceAll('$$', '$')];
  });
  const shells = [...text.matchAll(/\$[({]shell\s+([^\n]*)[)}]/g)].map(([, body = '']) => body);
  const made = first(CALLS.make.makes, text);
  return combine(
    made === undefined ? NOTHING : unjudgeable(`${name}: its rules make rules at run time`),
    ...[...recipes, ...shells].map((recipe) =>
      runsText(fixedWord(recipe.replaceAll(/\$[({]([A-Za-z_]\w*)[)}]/g, '$$$1'))),
    ),
  );
}
