/** Formats the entries of a project for display and for JSON. */

import { posix } from 'node:path';
import { commandOf, type Hook, type McpServer } from '../events/hook.ts';
import type { ExaminedEntry } from '../gather/gate.ts';
import { brief, safe } from '../render/safe.ts';
import { type Screen, shortPath } from '../render/screen.ts';
import { whatRuns } from '../render/what-runs.ts';
import { wrap } from '../render/wrap.ts';
import type { TrustJudgement } from '../settings/trust/gate.ts';

const STATES = {
  trusted: ['green', 'trusted'],
  modified: ['yellow', 'modified since it was trusted'],
  unknown: ['yellow', 'waits for trust'],
  untrustable: ['red', 'cannot be trusted'],
} as const;

export const summaryOf = (examined: ExaminedEntry, screen: Screen): string[] => [
  ...headOf(examined, screen),
  ...warningsOf([examined.judgement], screen),
];

/** `opta tool.pre`, `module`, `MCP server files`. */
export function whatOf(examined: ExaminedEntry): string {
  const { hook } = examined;
  if (hook !== undefined)
    return `${hook.dialect} ${hook.on}${hook.matcher === undefined ? '' : ` ${brief(hook.matcher, 40)}`}`;
  const server = serverIn(examined);
  return server === undefined ? 'module' : `MCP server ${brief(server.name, 40)}`;
}

/** Kind, command and coverage of trust, without warnings. */
export function headOf(examined: ExaminedEntry, screen: Screen): string[] {
  const { hook, file, line, judgement } = examined;
  const { paint, width } = screen;
  const { state, hash, trustedFiles } = judgement;
  const [colour, word] = STATES[state];
  const server = serverIn(examined);
  const names = trustedFiles.files.map(({ name }) => safe(name)).join(', ');
  const around = trustedFiles.outside
    .map((entry) => `${safe(entry.word)} (${entry.why === 'folder' ? 'a folder' : 'outside the project'})`)
    .join(', ');
  return [
    ...wrap(
      `  ${shortPath(file, screen)}:${line} · ${whatOf(examined)} · ${paint(colour, word)}`,
      width,
      '    ',
    ),
    ...(hook === undefined ? [] : wrap(`      ${safe(wholly(hook))}`, width, '        ')),
    ...(server === undefined ? [] : wrap(`      ${safe(server.runs)}`, width, '        ')),
    ...wrap(`      ${hash}`, width, '      '),
    ...trustedFiles.obstacles.flatMap((text) => wrap(`      ${paint('red', safe(text))}`, width, '      ')),
    ...(names === '' ? [] : wrap(`      covers ${names}`, width, '        ')),
    ...(around === '' ? [] : wrap(`      does not cover ${around}`, width, '        ')),
    ...trustedFiles.asked.map((folder) => `      with all of ${safe(folder)}/`),
  ];
}

/** Never cut, because the end of a long command runs too. */
function wholly(hook: Hook): string {
  const [shown, command] = [whatRuns(hook), commandOf(hook)];
  return command === undefined || shown.includes(command) ? shown : `${shown}: ${command}`;
}

/** Explains why a change may run unnoticed, and what to do. Each cause appears once. */
export function warningsOf(judgements: readonly TrustJudgement[], { paint, width }: Screen): string[] {
  const unsure = judgements.filter(({ trustedFiles }) => trustedFiles.doubts.length > 0);
  if (unsure.length === 0) return [];
  const causes = new Set(unsure.flatMap(({ trustedFiles }) => trustedFiles.doubts));
  const unbound = unsure.filter(
    ({ state, trustedFiles }) => state !== 'trusted' && trustedFiles.asked.length === 0,
  );
  const folders = new Set(
    unbound.map(
      ({ trustedFiles }) =>
        trustedFiles.direct.map((name) => posix.dirname(name)).find((name) => name !== '.') ?? '<folder>',
    ),
  );
  return [
    ...wrap(
      `      ${paint('yellow', 'Not everything that this runs is known. Code that it loads may change unnoticed:')}`,
      width,
      '      ',
    ),
    ...[...causes].flatMap((doubt) => wrap(`      - ${safe(doubt)}`, width, '        ')),
    ...[...folders].flatMap((folder) =>
      wrap(
        `      To bind a whole folder with it: anyhook trust add --folder ${safe(folder)}/`,
        width,
        '      ',
      ),
    ),
  ];
}

/** Never cut, because the end of a long command runs too. */
function serverIn({ entry }: ExaminedEntry): { readonly name: string; readonly runs: string } | undefined {
  const { mcpServer, server } = entry.fields as { mcpServer?: unknown; server?: McpServer };
  if (typeof mcpServer !== 'string' || server === undefined) return undefined;
  const runs = 'command' in server ? [server.command, ...(server.args ?? [])].join(' ') : server.url;
  return { name: mcpServer, runs };
}

/**
 * Shows the exact bytes that will run, or what changed since they were trusted. Never cut. `shownAt` is where the same content
 * was shown earlier.
 */
export function contentsOf(
  { judgement }: ExaminedEntry,
  { paint, width }: Screen,
  shownAt: (content: string) => string | undefined = () => undefined,
): string[] {
  const { diff } = judgement;
  if (diff !== undefined) {
    const before = shownAt(diff);
    return before === undefined
      ? indented(diff, paint)
      : wrap(`      changed as in ${before}`, width, '        ');
  }
  return judgement.trustedFiles.files.flatMap(({ name, sha256, bytes }) => {
    const before = shownAt(`${name} ${sha256}`);
    return before === undefined
      ? [
          `      ${paint('cyan', `── ${safe(name)}`)}`,
          ...indented(bytes.toString('utf8').replace(/\n$/, ''), (_, text) => text),
        ]
      : wrap(`      ${paint('cyan', `── ${safe(name)}`)} as in ${before}`, width, '         ');
  });
}

function indented(text: string, paint: Screen['paint']): string[] {
  return safe(text)
    .split('\n')
    .map(
      (line) =>
        `      ${line.startsWith('+') ? paint('green', line) : line.startsWith('-') ? paint('red', line) : line}`,
    );
}

export function plainExamined(examined: ExaminedEntry): object {
  const { hook, file, line, judgement } = examined;
  const server = serverIn(examined);
  return {
    file,
    line,
    hook: hook?.id,
    ...(server && { mcpServer: server.name }),
    state: judgement.state,
    hash: judgement.hash,
    files: judgement.trustedFiles.files.map(({ name, sha256 }) => ({ name, sha256 })),
    obstacles: judgement.trustedFiles.obstacles,
    ...(judgement.trustedFiles.asked.length > 0 && { folders: judgement.trustedFiles.asked }),
    doubts: judgement.trustedFiles.doubts,
    ...(judgement.diff !== undefined && { diff: judgement.diff }),
  };
}
