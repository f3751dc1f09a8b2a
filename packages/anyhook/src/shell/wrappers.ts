/**
 * Programs that run other programs. A row says which words are the inner command. An unknown option makes the command
 * unjudgeable, or every suffix of its words counts as a command; nothing is skipped.
 */

import { type OptionSpec, readOptions } from './options.ts';
import type { ShellWord } from './word.ts';

export type Wrapper = Prefix | JoinedWrapper | Tails;

interface Options extends OptionSpec {
  readonly names: string;
  /** Words between the options and the command. */
  readonly operands?: number;
  /** Options may also follow the operands. */
  readonly permutes?: true;
  /** Options whose value is shell text. */
  readonly text?: readonly string[];
  /** Options with which the program runs nothing. */
  readonly idle?: readonly string[];
  /** The program reads a command from its input if no word names one: `true`, or only with these options. */
  readonly readsInput?: true | readonly string[];
  /** Options whose code cannot be analysed. */
  readonly opaque?: readonly string[];
}

/** `name [options] [operands] command words…` */
export interface Prefix extends Options {
  readonly kind: 'prefix';
  /** Options may also follow `NAME=value` words. */
  readonly settings?: true;
  /** Further words are added to the command at run time. */
  readonly appends?: true;
  /** Options whose value is replaced in the command's words at run time. */
  readonly token?: readonly string[];
}

/** `name [options] [operands] words…`, joined by spaces and given to a shell. */
export interface JoinedWrapper extends Options {
  readonly kind: 'joined';
  /** Words that end the command. The words after them are added at run time. */
  readonly until?: readonly string[];
  /** Each word is a separate text. */
  readonly each?: true;
  /** The number of words that are the text. */
  readonly only?: number;
}

/** A program with too many options to list: every suffix of its words that may be a command counts as one. */
export interface Tails {
  readonly kind: 'tails';
  readonly names: string;
  /** Only after one of these subcommands. */
  readonly after?: readonly string[];
  /** The number of words before the command. Without it, any word may be its name. */
  readonly operands?: number;
  /** Words that contain a space may be shell text. */
  readonly texts?: true;
}

/** Reads the options and operands before the command of a wrapper. */
export function readWrapper<Word extends ShellWord>(row: Prefix | JoinedWrapper, args: readonly Word[]) {
  const first = readOptions(args, row);
  const count = row.operands ?? 0;
  const behind = first.rest.slice(count);
  const second = row.permutes === true ? readOptions(behind, row) : undefined;
  return {
    found: [...first.found, ...(second?.found ?? [])],
    operands: first.rest.slice(0, count),
    rest: second?.rest ?? behind,
    unknown: [...first.unknown, ...(second?.unknown ?? [])],
  };
}

export const WRAPPERS: readonly Wrapper[] = [
  { kind: 'prefix', names: 'command', short: 'pvV', idle: ['-v', '-V'] },
  { kind: 'prefix', names: 'builtin noglob nocorrect - toybox eatmydata fakeroot winpty' },
  { kind: 'prefix', names: 'exec', short: 'cla:' },
  {
    kind: 'prefix',
    names: 'env',
    short: 'i0vu:C:S:P:-',
    long: 'ignore-environment null unset: chdir: split-string: block-signal:: default-signal:: ignore-signal:: list-signal-handling debug argv0:',
    settings: true,
    opaque: ['-S', '--split-string'],
  },
  {
    kind: 'prefix',
    names: 'sudo',
    short: 'ABbEeHiKklnNPSsVvC:c:D:g:h:p:R:r:T:t:U:u:a:',
    long: 'askpass background bell preserve-env:: edit set-home login remove-timestamp reset-timestamp list non-interactive no-update preserve-groups stdin shell version validate close-from: chdir: group: host: prompt: chroot: role: type: command-timeout: other-user: user:',
    settings: true,
    readsInput: ['-s', '-i', '--shell', '--login'],
  },
  {
    kind: 'prefix',
    names: 'start-stop-daemon',
    short: 'SKx:a:p:n:u:c:g:d:r:bmCqotv',
    long: 'start stop exec: startas: pidfile: name: user: chuid: group: chdir: chroot: background make-pidfile no-close quiet oknodo test verbose',
    opaque: ['-x', '--exec', '-a', '--startas'],
  },
  { kind: 'prefix', names: 'doas', short: 'Lnsa:C:u:', readsInput: ['-s'] },
  { kind: 'prefix', names: 'pkexec', long: 'user: disable-internal-agent keep-cwd' },
  { kind: 'prefix', names: 'nohup setsid', short: 'cfwvVh', long: 'ctty fork wait' },
  { kind: 'prefix', names: 'nice', short: 'n:#', long: 'adjustment:' },
  { kind: 'prefix', names: 'ionice', short: 'c:n:p:P:u:t', long: 'class: classdata: pid: ignore' },
  { kind: 'prefix', names: 'chrt', short: 'abdfiormvpRT:P:D:', operands: 1, idle: ['-m', '-p'] },
  { kind: 'prefix', names: 'taskset', short: 'acp', operands: 1, idle: ['-p'] },
  {
    kind: 'prefix',
    names: 'timeout gtimeout',
    short: 'fvk:s:p',
    long: 'foreground preserve-status verbose kill-after: signal:',
    operands: 1,
  },
  {
    kind: 'prefix',
    names: 'time gtime',
    short: 'apqvVo:f:l',
    long: 'append portability quiet verbose output: format:',
  },
  { kind: 'prefix', names: 'stdbuf gstdbuf', short: 'i:o:e:', long: 'input: output: error:' },
  { kind: 'prefix', names: 'unbuffer', short: 'p' },
  {
    kind: 'prefix',
    names: 'xargs gxargs',
    short: '0rtxpoa:d:E:e::I:i::J:L:l::n:P:R:s:S:',
    long: 'null arg-file: delimiter: eof:: replace:: max-lines:: max-args: max-procs: interactive no-run-if-empty max-chars: show-limits verbose exit open-tty process-slot-var:',
    appends: true,
    token: ['-I', '-i', '-J', '--replace'],
  },
  {
    kind: 'prefix',
    names: 'busybox',
    long: 'list list-full install help',
    idle: ['--list', '--list-full', '--install', '--help'],
  },
  { kind: 'prefix', names: 'chroot', long: 'userspec: groups: skip-chdir', operands: 1, readsInput: true },
  {
    kind: 'prefix',
    names: 'flock',
    short: 'xsnueoFc:w:E:',
    long: 'exclusive shared nonblock unlock close no-fork command: timeout: wait: conflict-exit-code: verbose',
    operands: 1,
    permutes: true,
    text: ['-c', '--command'],
  },
  {
    kind: 'prefix',
    names: 'strace ltrace',
    short: 'AcCdDfFhiknNqrtTuvVwxXyYzZa:b:e:E:I:o:O:p:P:s:S:u:U:l:',
    long: 'follow-forks output-separately trace: output: string-limit: summary summary-only',
  },
  { kind: 'prefix', names: 'catchsegv dbus-run-session', long: 'config-file: dbus-daemon:' },
  { kind: 'prefix', names: 'repeat', operands: 1 },
  { kind: 'prefix', names: 'choom', short: 'n:p:', long: 'adjust: pid:' },
  {
    kind: 'prefix',
    names: 'su',
    short: 'lmpPfc:s:g:G:w:-',
    long: 'command: session-command: login preserve-environment shell: group: pty',
    operands: 1,
    permutes: true,
    text: ['-c', '--command', '--session-command'],
    readsInput: true,
  },
  {
    kind: 'prefix',
    names: 'script',
    short: 'aefqDc:E:I:O:B:T:t::m:o:',
    long: 'append command: echo: return flush force log-in: log-out: log-io: log-timing: logging-format: output-limit: quiet timing::',
    operands: 1,
    permutes: true,
    text: ['-c', '--command'],
    readsInput: true,
  },
  { kind: 'joined', names: 'trap', short: 'lpP', idle: ['-l', '-p', '-P'], only: 1 },
  {
    kind: 'joined',
    names: 'watch',
    short: 'bcdegprtwxCn:q:s:',
    long: 'beep color differences:: errexit chgexit interval: precise no-title no-rerun no-wrap exec equexit:',
  },
  {
    kind: 'joined',
    names: 'ssh autossh',
    short: '46AaCfGgKkMNnqsTtVvXxYyB:b:c:D:E:e:F:I:i:J:L:l:m:O:o:p:P:Q:R:S:W:w:',
    operands: 1,
    idle: ['-N', '-V', '-G', '-O', '-Q', '-W'],
    readsInput: true,
  },
  {
    kind: 'joined',
    names: 'parallel',
    short: '0kmqtuvXj:P:n:N:L:l:I:a:S:s:d:C:D:',
    long: 'jobs: max-procs: keep-order bar dry-run verbose progress eta null halt: joblog: results: tag group ungroup line-buffer will-cite max-args: colsep: delimiter: arg-file: no-notice resume retries: timeout: delay:',
    until: [':::', '::::', ':::+', '::::+'],
    readsInput: true,
  },
  {
    kind: 'joined',
    names: 'hyperfine',
    short: 'w:r:p:c:C:s:n:m:M:S:i',
    long: 'warmup: runs: prepare: cleanup: conclude: setup: command-name: min-runs: max-runs: shell: ignore-failure style: export-json: export-markdown: export-csv: show-output',
    text: ['-p', '-c', '-C', '-s', '--prepare', '--cleanup', '--conclude', '--setup'],
    each: true,
  },
  {
    kind: 'tails',
    names: 'docker podman nerdctl',
    after: ['run', 'exec', 'compose', 'container'],
    operands: 2,
  },
  { kind: 'tails', names: 'docker-compose kubectl oc', after: ['run', 'exec', 'debug'], operands: 1 },
  { kind: 'tails', names: 'npm pnpm yarn bun', after: ['exec', 'x', 'dlx'], texts: true, operands: 0 },
  { kind: 'tails', names: 'npx bunx pnpx uvx pipx', texts: true, operands: 0 },
  {
    kind: 'tails',
    names: 'uv poetry pipenv rye hatch pdm conda mamba micromamba',
    after: ['run', 'exec'],
    operands: 0,
  },
  {
    kind: 'tails',
    names: 'bundle mise asdf direnv rbenv pyenv nodenv aws-vault op doppler dotenvx chamber teller',
    after: ['exec', 'run', 'x'],
    operands: 0,
  },
  {
    kind: 'tails',
    names:
      'cross-env dotenv env-cmd nodemon concurrently entr onchange chokidar watchexec npm-run-all wait-on start-server-and-test',
    texts: true,
  },
  {
    kind: 'tails',
    names:
      'tmux screen dtach abduco nix nix-shell devbox guix byobu zellij wezterm xterm konsole gnome-terminal alacritty kitty',
    texts: true,
  },
  {
    kind: 'tails',
    names:
      'ld-linux-x86-64.so ld-linux.so ld-linux-aarch64.so ld-linux-armhf.so ld-musl-x86_64.so ld-musl-aarch64.so ld.so runuser newgrp sg systemd-run systemd-inhibit nsenter unshare setpriv capsh prlimit numactl setarch linux32 linux64 i386 x86_64 arch cgexec chpst softlimit firejail bwrap proot fakechroot faketime xvfb-run torsocks tsocks proxychains proxychains4 valgrind perf gdb lldb heaptrack rlwrap caffeinate sshpass ssh-agent gpg-agent dumb-init tini gosu su-exec start-stop-daemon daemonize lxc-attach machinectl vagrant multipass wsl run-parts sandbox-exec arch-chroot rtk',
    texts: true,
  },
];
