/** Options by which programs that serve another purpose run commands. A new bypass is a new row. */

/** What the value of an option is. */
export type ReadAs =
  /** A command line. */
  | 'shell'
  /** A command of an editor, debugger or client, which may contain a command line. */
  | 'loose'
  /** The words of a command, separated by commas. */
  | 'list'
  /** Rules of make. */
  | 'make'
  /** A file of commands, or the input. */
  | 'file';

export interface RunningOption {
  readonly names: string;
  /** Long names without dashes, separated by spaces. Prefixes match, as in getopt_long(3). */
  readonly long?: string;
  /** Options that are a prefix of a listed one but mean something else. */
  readonly known?: string;
  /** Letters, also in a cluster. */
  readonly short?: string;
  /** Long names with a single dash (`-wrapper`), or whole words (`+cmd`). */
  readonly words?: RegExp;
  readonly as: ReadAs;
  /** The part of the value before the command. */
  readonly strip?: RegExp;
}

export const RUNNING_OPTIONS: readonly RunningOption[] = [
  {
    names: 'tar gtar bsdtar',
    long: 'checkpoint-action to-command use-compress-program rsh-command info-script new-volume-script rmt-command',
    known: 'checkpoint use to-stdout',
    short: 'IF',
    as: 'shell',
    strip: /^exec=/,
  },
  { names: 'rsync', long: 'rsh rsync-path', short: 'e', as: 'shell' },
  {
    names: 'ssh autossh scp sftp rsync',
    words: /^-?o?(?:Proxy|Local|KnownHosts|Remote)Command[= ]/i,
    as: 'shell',
    strip: /^-?o?\w+[= ]\s*/,
  },
  { names: 'scp sftp', short: 'SD', as: 'shell' },
  { names: 'zip', long: 'unzip-command', words: /^-TT$/, as: 'shell' },
  { names: 'man', long: 'pager html', short: 'P', as: 'shell' },
  { names: 'ansible', long: 'args', short: 'a', as: 'shell' },
  { names: 'sort', long: 'compress-program', as: 'shell' },
  { names: 'split csplit', long: 'filter', as: 'shell' },
  { names: 'rg', long: 'pre hostname-bin', known: 'pre-glob', as: 'shell' },
  { names: 'nc ncat netcat', long: 'exec sh-exec', short: 'ec', as: 'shell' },
  { names: 'socat', words: /(?:EXEC|SYSTEM|SHELL):/i, as: 'shell', strip: /^.*?(?:EXEC|SYSTEM|SHELL):/i },
  { names: 'wget', long: 'use-askpass', as: 'shell' },
  { names: 'strace ltrace', short: 'o', long: 'output', as: 'shell', strip: /^(?![|!])[\s\S]*|^[|!]/ },
  { names: 'gcc cc g++ c++ clang clang++ gfortran', words: /^-wrapper$/, as: 'list' },
  { names: 'npm npx pnpm bunx', long: 'call', short: 'c', as: 'shell' },
  { names: 'npm pnpm', words: /^scripts\.[\w:-]+=/, as: 'shell', strip: /^[^=]*=/ },
  { names: 'cargo', long: 'config', as: 'loose' },
  {
    names: 'dpkg apt apt-get aptitude',
    words: /(?:Pre|Post)-Invoke(?:-Success)?(?:::)?=|^--(?:pre|post)-invoke=/i,
    as: 'shell',
    strip: /^.*?Invoke(?:-Success)?(?:::)?=/i,
  },
  { names: 'complete compgen', short: 'C', as: 'shell' },
  { names: 'mapfile readarray', short: 'C', as: 'shell' },
  { names: 'pg_dump pg_basebackup psql', long: 'set', as: 'loose' },
  {
    names: 'vi vim nvim ex view vimdiff gvim',
    short: 'cS',
    long: 'cmd',
    words: /^\+/,
    as: 'loose',
    strip: /^\+/,
  },
  { names: 'emacs emacsclient', long: 'eval execute load', words: /^-(?:e|eval|f|l)$/, as: 'loose' },
  {
    names: 'gdb lldb',
    long: 'eval-command init-eval-command one-line',
    words: /^--?(?:ex|iex|eval-command|o)$/,
    as: 'loose',
  },
  { names: 'gdb lldb', long: 'command source', short: 'x', as: 'file' },
  {
    names: 'sqlite3 sqlite',
    words: /^-cmd$|^\.(?:shell|system|sh|sys|load|excel|edit|once|output)/,
    as: 'loose',
  },
  { names: 'psql mysql mariadb', short: 'c', long: 'command execute', words: /\\!/, as: 'loose' },
  { names: 'make gmake', long: 'eval', short: 'E', as: 'make' },
  { names: 'make gmake ninja', long: 'file makefile', short: 'f', as: 'file' },
  { names: 'm4', words: /syscmd/, as: 'loose' },
  { names: 'dc bc', words: /!/, as: 'loose' },
  { names: 'ed red', words: /!/, as: 'loose' },
  { names: 'gnuplot', short: 'e', as: 'loose' },
  { names: 'mutt mail mailx', short: 'e', as: 'loose' },
  { names: 'wine flatpak-spawn dbus-launch', words: /\s/, as: 'shell' },
];
