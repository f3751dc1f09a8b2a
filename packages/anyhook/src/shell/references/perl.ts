import { quotedCode } from './literals.ts';

const USED = /(?:^|;)\s*(?:use|require|no)\s+([A-Za-z_]\w*(?:::\w+)*)/gm;
/** `use lib "$FindBin::Bin/lib", 'more'`, and `qw(lib more)`. */
const LIB = /(?:^|;)\s*use\s+lib\s+([^;]{1,500});/gm;
const LITERAL = /(["'])([^"'\n]{1,300})\1|qw\s*[([{/]([^)\]}/]{1,300})/g;
/** Expressions for the folder of the script at the start of a path. */
const OWN_FOLDER = /^(?:\$\{?(?:FindBin::)?(?:Real)?Bin\}?|\$\w+|\.)?\/+/;

/** Modules in folders beside the script, as `use lib` names them, and files of code in quotes. */
export function perlRefs(text: string): string[] {
  const folders = [...text.matchAll(LIB)]
    .flatMap(([, list = '']) => [...list.matchAll(LITERAL)])
    .flatMap(([, , literal = '', words = '']) => [literal, ...words.split(/\s+/)])
    .filter((folder) => folder !== '')
    .map((folder) => folder.replace(OWN_FOLDER, ''));
  const modules = [...text.matchAll(USED)].map(([, name = '']) => `${name.replaceAll('::', '/')}.pm`);
  return [
    ...['.', ...folders].flatMap((folder) => modules.map((module) => `${folder}/${module}`)),
    ...quotedCode(text),
  ];
}
