/** The language of a file. `exec` is a file that is started by its own name, so its first line names its interpreter. */
export type Language =
  | 'shell'
  | 'javascript'
  | 'python'
  | 'perl'
  | 'ruby'
  | 'php'
  | 'lua'
  | 'awk'
  | 'sed'
  | 'jq'
  | 'make'
  | 'package'
  | 'other'
  | 'program'
  | 'none';
export type ReadLanguage = Exclude<Language, 'none' | 'program' | 'package'> | 'exec';

const BY_ENDING: Readonly<Record<string, Language>> = {
  sh: 'shell', bash: 'shell', zsh: 'shell', ksh: 'shell', dash: 'shell',
  js: 'javascript', mjs: 'javascript', cjs: 'javascript', jsx: 'javascript',
  ts: 'javascript', mts: 'javascript', cts: 'javascript', tsx: 'javascript',
  py: 'python', pyw: 'python', rb: 'ruby', pl: 'perl', pm: 'perl', php: 'php', lua: 'lua', mk: 'make', awk: 'awk', jq: 'jq', sed: 'sed',
  fish: 'other', ps1: 'other', tcl: 'other', r: 'other',
  so: 'program', node: 'program', wasm: 'program', dylib: 'program', pyc: 'program',
  json: 'none', jsonc: 'none', toml: 'none', yaml: 'none', yml: 'none', md: 'none', txt: 'none', lock: 'none',
  csv: 'none', xml: 'none', html: 'none', css: 'none', log: 'none', env: 'none', ini: 'none', conf: 'none',
}; // prettier-ignore

const BY_PROGRAM: readonly (readonly [RegExp, Language])[] = [
  [/\b(?:ba|da|z|k|mk|a|)sh\b/, 'shell'],
  [/\b(?:node|nodejs|bun|deno|tsx|ts-node)\b/, 'javascript'],
  [/\b(?:python|pypy)/, 'python'],
  [/\bperl/, 'perl'],
  [/\bruby/, 'ruby'],
  [/\bphp/, 'php'],
  [/\blua/, 'lua'],
  [/awk\b/, 'awk'],
  [/\bsed\b/, 'sed'],
  [/\bjq\b/, 'jq'],
  [/\bmake\b/, 'make'],
];

/**
 * The language of a file: from the program that reads it, else from its first line if it is started by its name, else from
 * its ending. A text with none of these is a shell script.
 */
export function languageOf(name: string, bytes: Buffer, as?: ReadLanguage): Language {
  const isBinary = bytes.subarray(0, 8192).includes(0);
  if (as !== undefined && as !== 'exec') return isBinary ? 'program' : as;
  const ending = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  const byEnding = Object.hasOwn(BY_ENDING, ending) ? BY_ENDING[ending] : undefined;
  const shebang = shebangIn(bytes);
  if (as === 'exec') return shebang === undefined ? (isBinary ? 'program' : 'shell') : byShebang(shebang);
  if (/(?:^|\/)package\.json$/.test(name)) return 'package';
  if (/(?:^|\/)(?:GNUm|M|m)akefile$/.test(name)) return 'make';
  if (byEnding !== undefined) return byEnding;
  if (shebang !== undefined) return byShebang(shebang);
  return isBinary ? 'none' : 'shell';
}

/** The first line without `#!`. */
export const shebangIn = (bytes: Buffer): string | undefined =>
  /^#!([^\n]*)/.exec(bytes.subarray(0, 512).toString('latin1'))?.[1]?.trim();

/** A relative interpreter is a file of the project, which is followed separately. */
const byShebang = (line: string): Language =>
  !line.startsWith('/') ? 'none' : (BY_PROGRAM.find(([name]) => name.test(line))?.[1] ?? 'other');
