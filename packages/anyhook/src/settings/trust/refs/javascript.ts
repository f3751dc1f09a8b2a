import { quotedCode, unescaped } from './literals.ts';

const GAP = String.raw`(?:\s|\/\*[^]{0,80}?\*\/|\/\/[^\n]{0,80}\n)*`;
const LITERAL = String.raw`(["'\x60])((?:\.\.?\/|\.\.?(?=["'\x60]))(?:[^"'\x60\\\n$]|\\[^\n]){0,300})\1`;
const IMPORT = new RegExp(
  String.raw`\b(?:from|import|require|resolve|createRequire|URL|Worker)${GAP}\(?${GAP}${LITERAL}`,
  'g',
);
const ENDINGS = ['.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.tsx', '.jsx', '.json', '.node', '.wasm'];
/** TypeScript is imported under the name it will have. */
const WRITTEN_AS: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx', '.jsx'],
  '.mjs': ['.mts'],
  '.cjs': ['.cts'],
};
const COMPUTED = /\b(?:import|require)\s*\(\s*(?!["'`)]|\/\*)[^)\n]{1,80}/;

/**
 * Every file a literal import could mean, from the folder of the text: loaders differ in the order they try them, so
 * all that exist are bound.
 */
export function javascriptRefs(text: string): string[] {
  const specifiers = [...text.matchAll(IMPORT)].map((m) => unescaped(m[2] ?? '').replace(/[?#].*$/s, ''));
  return [...specifiers.flatMap(candidates), ...quotedCode(text)];
}

export const javascriptLoose = (text: string): string | undefined => COMPUTED.exec(text)?.[0];

function candidates(specifier: string): string[] {
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
