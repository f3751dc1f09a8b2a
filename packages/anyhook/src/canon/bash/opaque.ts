/** Programs that run code no rule can see: always, or when one of their words says so. */
export interface Opaque {
  readonly names: string;
  /** Without it, always. */
  readonly pattern?: RegExp;
  readonly why: string;
}

export const OPAQUE: readonly Opaque[] = [
  { names: 'eval', why: 'it runs text made at run time' },
  { names: 'alias', why: 'it gives a command another name' },
  {
    names: 'iex Invoke-Expression invoke-expression powershell pwsh cmd fish csh tcsh nu elvish xonsh rc es',
    why: 'it speaks another shell language',
  },
  {
    names: 'at batch crontab expect emulate autoload zmodload sched zle fc',
    why: 'it runs what cannot be seen here',
  },
  { names: 'hash', pattern: /^-[a-z]*p/, why: 'it gives a command another file' },
  { names: 'enable', pattern: /^-[a-z]*f/, why: 'it loads code' },
  { names: 'bind', pattern: /^-[a-z]*x/, why: 'it runs a command later' },
  {
    names: 'complete compgen mapfile readarray',
    pattern: /^-[a-z]*[CF]/,
    why: 'it runs a command given as text',
  },
  {
    names: 'tar gtar bsdtar',
    pattern:
      /^--(?:checkpoint-action|to-command|use-compress-program|rsh-command|info-script|new-volume-script)|^-[a-zA-Z]*[IF]|^[cxtru][a-zA-Z]*[IF]/,
    why: 'an option runs a command',
  },
  {
    names: 'rsync',
    pattern: /^-[a-zA-Z]*e|^--(?:rsh|rsync-path)/,
    why: 'an option runs a command',
  },
  {
    names: 'ssh autossh scp sftp',
    pattern: /(?:Proxy|Local|KnownHosts|Remote)Command|^-F|^-[a-zA-Z]*S|^-D/i,
    why: 'an option runs a command',
  },
  {
    names: 'make gmake',
    pattern: /^--eval|^-[a-zA-Z]*E|^(?:SHELL|\.SHELLFLAGS|MAKEFLAGS)[:?]?=|^-f-$|^\/dev\/(?:stdin|fd)/,
    why: 'it is given rules as text',
  },
  {
    names: 'vi vim nvim ex view vimdiff',
    pattern: /^-[a-zA-Z]*[cSs]|^--cmd|^\+/,
    why: 'an editor command can run anything',
  },
  {
    names: 'emacs emacsclient',
    pattern: /^--?(?:eval|execute|e$|f|load|l$|script|batch)/,
    why: 'an editor command can run anything',
  },
  { names: 'ed red', why: 'it reads editor commands, which can run anything' },
  {
    names: 'gdb lldb',
    pattern: /^--?(?:ex|eval|x$|command|o$|one-line|batch|source)/,
    why: 'a debugger command can run anything',
  },
  {
    names: 'sqlite3 sqlite',
    pattern: /\.(?:shell|system|sh|sys|load|excel|edit)|^-cmd/,
    why: 'a dot command can run anything',
  },
  {
    names: 'psql mysql mariadb',
    pattern: /\\!|\bsystem\b|\bprogram\b/i,
    why: 'a client command can run anything',
  },
  {
    names: 'zip',
    pattern: /^-[a-zA-Z]*TT|^--unzip-command/,
    why: 'an option runs a command',
  },
  {
    names: 'man',
    pattern: /^-[a-zA-Z]*[PHT]|^--(?:pager|html)/,
    why: 'an option runs a command',
  },
  { names: 'less more', pattern: /^\+/, why: 'a pager command can run anything' },
  { names: 'sort', pattern: /^--compress-prog/, why: 'an option runs a command' },
  { names: 'split', pattern: /^--filter/, why: 'an option runs a command' },
  {
    names: 'rg',
    pattern: /^--(?:pre|hostname-bin)(?:=|$)/,
    why: 'an option runs a command',
  },
  {
    names: 'nc ncat netcat socat',
    pattern: /^-[a-zA-Z]*[ec]|^--(?:sh-)?exec|EXEC:|SYSTEM:|SHELL:/i,
    why: 'it connects a command',
  },
  { names: 'm4', pattern: /syscmd|^-/, why: 'its macros can run commands' },
  { names: 'dc bc', pattern: /!/, why: 'its program can run commands' },
  { names: 'cmake', pattern: /^-P$/, why: 'it runs a script' },
  { names: 'wget', pattern: /^--use-askpass/, why: 'an option runs a command' },
  {
    names: 'source .',
    pattern: /^\/(?:dev|proc)\/|^-$/,
    why: 'it reads commands from its input',
  },
];
