/** Programs that run code which cannot be analysed: always, or if one of their words fits. */
export interface Opaque {
  readonly names: string;
  /** Absent: always. */
  readonly pattern?: RegExp;
  readonly why: string;
}

export const OPAQUE: readonly Opaque[] = [
  { names: 'emulate autoload zmodload sched zle', why: 'it runs what cannot be seen here' },
  { names: 'fc', pattern: /^(?!-[lnr]*l[lnr]*$|-?\d+$)/, why: 'it runs what cannot be seen here' },
  { names: 'hash', pattern: /^-[a-z]*p/, why: 'it gives a command another file' },
  { names: 'enable', pattern: /^-[a-z]*f/, why: 'it loads code' },
  { names: 'bind', pattern: /^-[a-z]*x/, why: 'it runs a command later' },
  { names: 'less more most', pattern: /^\+/, why: 'a pager command can run anything' },
  {
    names: 'make gmake',
    pattern: /^(?:SHELL|\.SHELLFLAGS|MAKEFLAGS)[:?]?=/,
    why: 'it is given another shell',
  },
  { names: 'ssh autossh scp sftp', pattern: /^-F./, why: 'its settings can run commands' },
  { names: 'gcc cc g++ c++ clang', pattern: /^@/, why: 'it reads options from a file' },
];
