import { refuseTooMuch } from './limit.ts';
import { quotedCode } from './literals.ts';

const IMPORT =
  /(?:^|[;:\n])[ \t]*(?:from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]*(\([^)]{0,1000}\)|[^\n;#]{0,2000})|import[ \t]+([^\n;#]{1,2000}))/g;
const FOLDER = /(["'])([\w./-]{1,100})\1/g;

export interface PythonRefs {
  /** Modules as paths without ending; `own` from the folder of the file, the others from a folder of the search path. */
  readonly own: readonly string[];
  readonly searched: readonly string[];
  /** What may be a folder put on the search path. */
  readonly folders: readonly string[];
  readonly files: readonly string[];
}

export function pythonRefs(raw: string): PythonRefs {
  refuseTooMuch(raw);
  const text = raw.replace(/\\\r?\n/g, ' ');
  const own: string[] = [];
  const searched: string[] = [];
  for (const [, dots = '', from = '', names = '', plain] of text.matchAll(IMPORT)) {
    if (plain !== undefined) searched.push(...namesIn(plain).flatMap(chain));
    else if (dots === '')
      searched.push(...chain(from), ...namesIn(names).map((n) => `${slashed(from)}/${n}`));
    else {
      const base = dots.length === 1 ? '.' : Array.from({ length: dots.length - 1 }, () => '..').join('/');
      own.push(...chain(from).map((p) => `${base}/${p}`), `${base}/__init__`);
      own.push(...namesIn(names).map((n) => [base, slashed(from), n].filter(Boolean).join('/')));
    }
  }
  const folders = [...text.matchAll(FOLDER)].map((m) => m[2] ?? '').slice(0, 200);
  return { own, searched, folders: [...new Set(folders)], files: quotedCode(text) };
}

/** A module is a file, a package, or something compiled beside them. */
export const pythonFiles = (module: string): string[] => [
  `${module}.py`,
  `${module}.so`,
  `${module}/__init__.py`,
  `${module}/__main__.py`,
];

const slashed = (dotted: string): string => dotted.replaceAll('.', '/');

/** `a.b.c` imports `a`, then `a.b`, then `a.b.c`. */
function chain(dotted: string): string[] {
  const parts = dotted.split('.').filter(Boolean);
  return parts.map((_, i) => parts.slice(0, i + 1).join('/'));
}

const namesIn = (list: string): string[] =>
  list
    .replace(/#[^\n]*/g, '')
    .split(',')
    .map((item) => /^[\s(]*([\w.]+)/.exec(item)?.[1] ?? '')
    .filter(Boolean);
