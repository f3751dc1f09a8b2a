/** Python's own library, by the names of 3.8 to 3.14. */
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

/** Modules that are no part of it: installed ones, which may lie in the project too. */
export const isForeignModule = (module: string): boolean => {
  const [top = ''] = module.split(/[./]/, 1);
  return top !== '' && !top.startsWith('_') && !LIBRARY.has(top);
};

/** Of the library, what runs code that it is told of, or looks for. */
const RUNNERS: ReadonlySet<string> = new Set(
  'pdb profile cProfile trace doctest unittest runpy venv ensurepip pip timeit asyncio code zipapp bdb'.split(
    ' ',
  ),
);
export const runsOthers = (module: string): boolean => RUNNERS.has(module.split('.', 1)[0] ?? '');
