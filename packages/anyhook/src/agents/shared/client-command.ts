/** The command that `install` adds to an agent's settings, and how to recognise it. The command starts our client. */

import { join } from 'node:path';
import type { AgentSetup, ClientSource, InstallLocation } from './bridge.ts';

/** Also matches the longer command that versions before 0.2 installed. */
const COMMANDS = [
  /anyhook-client(?:\.exe|\.cmd)?["'\\]* ([\w-]+)/,
  / fire --as [\w-]+ --host ([\w-]+) --deadline-ms \d/,
];

/** The agent of a command of ours; undefined for other commands. */
export const bridgedBy = (command: string): string | undefined =>
  COMMANDS.map((pattern) => pattern.exec(command)?.[1]).find((agent) => agent !== undefined);

/** The default scope is the user. */
export type ClientLocation = Pick<InstallLocation, 'home'> & Partial<Pick<InstallLocation, 'scope'>>;

/** A stable path that survives updates of Node, npm and anyhook, so that agents keep trusting the command. */
const USER_FOLDER = '.local/share/anyhook';
const WINDOWS_FOLDER = 'AppData/Local/anyhook';
/** Only root can write there. */
export const MANAGED_FOLDER = 'etc/anyhook/bin';

export const clientFolder = ({ scope, home }: ClientLocation): string =>
  join(home, scope === 'managed' ? MANAGED_FOLDER : isWindows() ? WINDOWS_FOLDER : USER_FOLDER);
const isWindows = (): boolean => process.platform === 'win32';

type ClientKind = ClientSource['kind'];
/** On Windows the extension decides how a file is started: a batch file starts the Node client beside it. */
const WINDOWS_NAMES = { native: 'anyhook-client.exe', node: 'anyhook-client.cmd' } as const;
const NODE_CLIENT = 'anyhook-client.cjs';

/** The file that the command starts. */
export const clientFile = (location: ClientLocation, kind: ClientKind = 'native'): string =>
  join(clientFolder(location), isWindows() ? WINDOWS_NAMES[kind] : 'anyhook-client');
/** The Node client, if another file starts it; undefined if it is the client itself. */
export const nodeClientFile = (location: ClientLocation): string | undefined =>
  isWindows() ? join(clientFolder(location), NODE_CLIENT) : undefined;
/** All files that an installation may have written for its client, of any kind. */
export const clientFiles = (location: ClientLocation): readonly string[] =>
  isWindows()
    ? [...Object.values(WINDOWS_NAMES), NODE_CLIENT].map((name) => join(clientFolder(location), name))
    : [clientFile(location)];
/** Read by the client: path of Node, program and socket. */
export const clientConfFile = (location: ClientLocation): string =>
  join(clientFolder(location), 'anyhook-client.conf');

/** The shell that runs the command: `posix`, or `any` for the user's own shell. */
export type CommandShell = 'posix' | 'any';

/**
 * How the agent detects a failed command. `exit`: 2 refuses with a message on stderr, and 1 passes. `json`: stderr does
 * not reach the model, or only its first line, and 1 may refuse too.
 */
export type FailureReading = 'exit' | 'json';

export interface ClientCommandOptions {
  readonly deadlineMs: number;
  /** For an entry that judges tool calls: any failure becomes a refusal with a reason. */
  readonly isClosed: boolean;
  readonly shell?: CommandShell;
  readonly reading?: FailureReading;
}

export const DEFAULT_DEADLINE_MS = 590_000;

/**
 * Never fails closed on prompts and stops, where a broken bridge would lock the user out or the agent in. The part
 * after `||` only runs if the client is missing or crashes: a running client prints its own message.
 */
export function clientCommand(setup: AgentSetup, options: ClientCommandOptions): string {
  const { shell = 'any' } = options;
  if (isWindows())
    return `"${clientFile(setup, setup.client.kind)}" ${argumentsOf(setup, options)}${options.isClosed ? ' || exit 2' : ''}`;
  // A project file contains no path of this machine; the shell resolves the home folder.
  const path =
    setup.scope === 'project' ? `"$HOME/${USER_FOLDER}/anyhook-client"` : quoted(clientFile(setup));
  const command = `${path} ${argumentsOf(setup, options)} || ${whenMissing(setup, options)}`;
  return shell === 'posix' ? command : `/bin/sh -c ${quoted(command)}`;
}

function argumentsOf(
  { agent, dialect, strict }: AgentSetup,
  { deadlineMs, isClosed, reading }: ClientCommandOptions,
): string {
  const mode = FAILURE_MODES[reading ?? 'exit'][isClosed ? 'closed' : 'open'];
  return [
    agent,
    // An agent without built-in support passes the dialect that it uses.
    ...(dialect === agent ? [] : [`--as ${dialect}`]),
    ...(mode === 'pass' ? [] : [`--on-failure ${mode}`]),
    ...(deadlineMs === DEFAULT_DEADLINE_MS ? [] : [`--deadline-ms ${deadlineMs}`]),
    ...(strict ? ['--strict'] : []),
  ].join(' ');
}

/** Values of the client's `--on-failure`. */
const FAILURE_MODES = {
  exit: { open: 'pass', closed: 'refuse' },
  json: { open: 'pass-quiet', closed: 'refuse-json' },
} as const satisfies Record<FailureReading, Record<'open' | 'closed', string>>;

function whenMissing(setup: AgentSetup, { isClosed, reading = 'exit' }: ClientCommandOptions): string {
  const text = missingText(setup, isClosed);
  if (reading === 'json')
    return isClosed
      ? `{ [ $? -eq 2 ] && exit 2; echo ${refusalJson(text)}; }`
      : `{ [ $? -eq 2 ] && exit 2; echo "${text}" >&2; }`;
  return isClosed
    ? `{ [ $? -eq 2 ] || echo "${text}" >&2; exit 2; }`
    : `{ case $? in 1|2) exit;; esac; echo "${text}" >&2; exit 1; }`;
}

function missingText({ agent, scope, file }: AgentSetup, isClosed: boolean): string {
  const what = isClosed
    ? 'anyhook refused this call because its client is missing'
    : 'anyhook called no hook because its client is missing';
  // A shell prints this inside double quotes.
  const settings = file.replaceAll(/[^\w/.~-]/g, '?');
  if (scope === 'managed') return `${what}. Ask your administrator.`;
  const next = `${what}. Run: anyhook install ${agent}`;
  return isClosed ? `${next}. Or remove its entries from ${settings}` : next;
}

/** A refusal for agents that read JSON. Each of them reads one of these pairs. */
const refusalJson = (reason: string): string =>
  `"{\\"decision\\":\\"deny\\",\\"reason\\":\\"${reason}\\",\\"permissionDecision\\":\\"deny\\",\\"permissionDecisionReason\\":\\"${reason}\\"}"`;

/** For a POSIX shell. */
export const quoted = (word: string): string =>
  /^[\w/.:@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
