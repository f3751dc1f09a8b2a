import { builtinModules } from 'node:module';
import { doubtsIn } from './doubts.ts';
import { quotedCode, unescaped } from './literals.ts';

const GAP = String.raw`(?:\s|\/\*[^]{0,80}?\*\/|\/\/[^\n]{0,80}\n)*`;
const LITERAL = String.raw`(["'\x60])((?:[^"'\x60\\\n$]|\\[^\n]){1,300})\2`;
const IMPORT = new RegExp(
  String.raw`\b(from|import|require|resolve|createRequire|URL|Worker)${GAP}\(?${GAP}${LITERAL}`,
  'g',
);
const ENDINGS = ['.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.tsx', '.jsx', '.json', '.node', '.wasm'];
/** TypeScript is imported under the name of its output. */
const WRITTEN_AS: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx', '.jsx'],
  '.mjs': ['.mts'],
  '.cjs': ['.cts'],
};
const COMPUTED = /\b(?:import|require)\s*\(\s*(?!["'`)]|\/\*)[^)\n]{1,80}/;
/** An import with a computed name, or `require` under another name. */
const PUT_TOGETHER =
  /\b(?:import|require)\s*\(\s*(?:`[^`]{0,300}?\$\{|(["'`])(?:[^\\\n]|\\.){0,300}?\1\s*[+.?[])|[=(,:]\s*require\s*[;,)}\n]/;
const BUILT_IN = new Set(builtinModules);

export interface JavascriptRefs {
  /** Every file that a relative import may mean. Loaders try them in different orders, so trust binds all of them. */
  readonly near: readonly string[];
  /** The code imports a `#name`, which the next `package.json` defines. */
  readonly asksPackage: boolean;
  readonly doubts: readonly string[];
}

export function javascriptRefs(text: string): JavascriptRefs {
  const found = specifiersIn(text);
  const specifiers = found.map(({ specifier }) => specifier);
  const isNear = (name: string) => /^\.\.?(?:\/|$)/.test(name);
  const loaded = found
    .filter(({ by }) => /^(?:from|import|require)$/.test(by))
    .map(({ specifier }) => specifier);
  const computed = (COMPUTED.exec(text) ?? PUT_TOGETHER.exec(text))?.[0].trim();
  return {
    near: [...specifiers.filter(isNear).flatMap(candidates), ...quotedCode(text)],
    asksPackage: specifiers.some((name) => name.startsWith('#')),
    doubts: [
      ...(computed === undefined ? [] : [`${computed} is only known when it runs`]),
      ...unique(loaded.filter(isPackage)).map((name) => `the package ${name} is not bound`),
      ...unique(loaded.filter((name) => /^(?:\/|file:)/.test(name))).map(
        (name) => `${name} is loaded from where it lies`,
      ),
      ...doubtsIn(text, 'javascript'),
    ],
  };
}

/** Literal imports with the position of the literal, quotes included. */
export const specifiersIn = (text: string): { by: string; specifier: string; pos: number; end: number }[] =>
  [...text.matchAll(IMPORT)].map(([whole, by = '', , literal = ''], at, all) => {
    const end = (all[at]?.index ?? 0) + whole.length;
    const specifier = unescaped(literal).replace(/(?<!^)[?#].*$/s, '');
    return { by, specifier, pos: end - literal.length - 2, end };
  });

const unique = (list: readonly string[]): string[] => [...new Set(list)];

/** A name that is looked up in `node_modules`: not a path, an address or a module of Node. */
const isPackage = (name: string): boolean =>
  /^[@\w~][\w@./~-]*$/.test(name) && !name.startsWith('node:') && !BUILT_IN.has(name.split('/', 1)[0] ?? '');

export function candidates(specifier: string): string[] {
  const ending = /\.\w+$/.exec(specifier)?.[0] ?? '';
  const stem = specifier.slice(0, specifier.length - ending.length);
  return [
    specifier,
    ...ENDINGS.map((e) => `${specifier}${e}`),
    ...(WRITTEN_AS[ending] ?? []).map((e) => `${stem}${e}`),
    ...ENDINGS.map((e) => `${specifier}/index${e}`),
    `${specifier}/package.json`,
  ];
}

/** Every file that the entries of a `package.json` name, whichever a loader would choose. */
export function packageRefs(text: string): Pick<JavascriptRefs, 'near' | 'doubts'> {
  let fields: Readonly<Record<string, unknown>>;
  try {
    fields = JSON.parse(text) as typeof fields;
  } catch {
    return { near: [], doubts: [] };
  }
  const named = ['main', 'module', 'browser', 'exports', 'imports'].flatMap((key) => leaves(fields?.[key]));
  const patterns = named.filter((name) => name.includes('*'));
  return {
    near: named.filter((name) => !name.includes('*')).flatMap(candidates),
    doubts: patterns.map((name) => `the pattern ${name} is only known when it runs`),
  };
}

function leaves(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(leaves);
}
