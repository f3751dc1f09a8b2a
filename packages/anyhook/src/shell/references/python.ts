/** The modules and files that Python code names. */

import { refuseTooMuch } from './limit.ts';
import { quotedCode } from './literals.ts';

const IMPORT =
  /(?:^|[;:\n])[ \t]*(?:from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]*(\([^)]{0,1000}\)|[^\n;#]{0,2000})|import[ \t]+([^\n;#]{1,2000}))/g;
const FOLDER = /(["'])([\w./-]{1,100})\1/g;

export interface PythonRefs {
  /** Modules as paths without ending: `own` relative to the file, `searched` relative to a folder of the search path. */
  readonly own: readonly string[];
  readonly searched: readonly string[];
  /** Texts that may be folders added to the search path. */
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

/** The files that a module may be: source, compiled code or a package. */
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

/** The standard library of Python 3.8 to 3.14. */
const LIBRARY: ReadonlySet<string> = new Set(
  `
  abc aifc antigravity argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii bisect
  builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys compileall
  compression concurrent configparser contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses
  datetime dbm decimal difflib dis distutils doctest email encodings ensurepip enum errno faulthandler fcntl
  filecmp fileinput fnmatch fractions ftplib functools gc genericpath getopt getpass gettext glob graphlib grp
  gzip hashlib heapq hmac html http idlelib imaplib imghdr imp importlib inspect io ipaddress itertools json
  keyword lib2to3 linecache locale logging lzma mailbox mailcap marshal math mimetypes mmap modulefinder
  multiprocessing netrc nis nntplib ntpath numbers opcode operator optparse os ossaudiodev pathlib pdb pickle
  pickletools pipes pkgutil platform plistlib poplib posix posixpath pprint profile pstats pty pwd py_compile
  pyclbr pydoc pyexpat queue quopri random re readline reprlib resource rlcompleter runpy sched secrets select
  selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket socketserver spwd sqlite3 ssl stat
  statistics string stringprep struct subprocess sunau symtable sys sysconfig syslog tabnanny tarfile telnetlib
  tempfile termios textwrap this threading time timeit tkinter token tokenize tomllib trace traceback
  tracemalloc tty turtle types typing unicodedata unittest urllib uu uuid venv warnings wave weakref webbrowser
  winreg wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib zoneinfo
`
    .trim()
    .split(/\s+/),
);

/** A module outside the standard library. It is installed, perhaps in the project. */
export const isForeignModule = (module: string): boolean => {
  const [top = ''] = module.split(/[./]/, 1);
  return top !== '' && !top.startsWith('_') && !LIBRARY.has(top);
};

/** Modules of the standard library that run other code. */
const RUNNERS: ReadonlySet<string> = new Set(
  'pdb profile cProfile trace doctest unittest runpy venv ensurepip pip timeit asyncio code zipapp bdb'.split(
    ' ',
  ),
);
export const runsOthers = (module: string): boolean => RUNNERS.has(module.split('.', 1)[0] ?? '');
