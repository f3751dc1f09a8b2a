/** What a project asks for, as a person and as a program is shown it. */
import { posix } from 'node:path';
import type { McpServer } from '../../canon/hook.ts';
import { brief, safe } from '../../views/safe.ts';
import { type Screen, shortPath } from '../../views/screen.ts';
import { whatRuns } from '../../views/what-runs.ts';
import { wrap } from '../../views/wrap.ts';
import type { ExaminedEntry } from '../../assembly/gate.ts';
import type { TrustJudgement } from '../../settings/trust/gate.ts';

const STATES = {
  trusted: ['green', 'trusted'],
  modified: ['yellow', 'modified since it was trusted'],
  unknown: ['yellow', 'waits for trust'],
  untrustable: ['red', 'cannot be trusted'],
} as const;

export function summaryOf(examined: ExaminedEntry, screen: Screen): string[] {
  const { hook, file, line, judgement } = examined;
  const { paint, width } = screen;
  const { state, hash, trustedFiles } = judgement;
  const [colour, word] = STATES[state];
  const server = serverIn(examined);
  const what =
    hook === undefined
      ? server === undefined
        ? 'module'
        : `MCP server ${brief(server.name, 40)}`
      : `${hook.dialect} ${hook.on}${hook.matcher === undefined ? '' : ` ${brief(hook.matcher, 40)}`}`;
  const names = trustedFiles.files.map(({ name }) => safe(name)).join(', ');
  const around = trustedFiles.outside
    .map((one) => `${safe(one.word)} (${one.why === 'folder' ? 'a folder' : 'outside the project'})`)
    .join(', ');
  return [
    ...wrap(`  ${shortPath(file, screen)}:${line} · ${what} · ${paint(colour, word)}`, width, '    '),
    ...(hook === undefined ? [] : [`      ${brief(whatRuns(hook), width - 6)}`]),
    ...(server === undefined ? [] : wrap(`      ${safe(server.runs)}`, width, '        ')),
    `      ${hash}`,
    ...trustedFiles.obstacles.flatMap((text) => wrap(`      ${paint('red', safe(text))}`, width, '      ')),
    ...(names === '' ? [] : wrap(`      covers ${names}`, width, '        ')),
    ...(around === '' ? [] : wrap(`      does not cover ${around}`, width, '        ')),
    ...trustedFiles.asked.map((folder) => `      with all of ${safe(folder)}/`),
    ...untold(judgement, screen),
  ];
}

/** Why a change may run unseen, in plain words, and what can be done about it. */
function untold({ state, trustedFiles }: TrustJudgement, { paint, width }: Screen): string[] {
  const { doubts, direct, asked } = trustedFiles;
  if (doubts.length === 0) return [];
  const folder = direct.map((name) => posix.dirname(name)).find((name) => name !== '.') ?? '<folder>';
  return [
    ...wrap(
      `      ${paint('yellow', 'It cannot be told all that this runs; code it loads besides may change unseen:')}`,
      width,
      '      ',
    ),
    ...doubts.flatMap((doubt) => wrap(`      - ${safe(doubt)}`, width, '        ')),
    ...(state === 'trusted' || asked.length > 0
      ? []
      : wrap(
          `      To bind a whole folder with it: anyhook trust add --folder ${safe(folder)}/`,
          width,
          '      ',
        )),
  ];
}

/** Never cut: what stands at the end of a long command runs too. */
function serverIn({ entry }: ExaminedEntry): { readonly name: string; readonly runs: string } | undefined {
  const { mcpServer, server } = entry.fields as { mcpServer?: unknown; server?: McpServer };
  if (typeof mcpServer !== 'string' || server === undefined) return undefined;
  const runs = 'command' in server ? [server.command, ...(server.args ?? [])].join(' ') : server.url;
  return { name: mcpServer, runs };
}

/** What will run, from the very bytes that will run; of what was trusted before, what has changed. Never cut. */
export function contentsOf({ judgement }: ExaminedEntry, { paint }: Screen): string[] {
  if (judgement.diff !== undefined) return indented(judgement.diff, paint);
  return judgement.trustedFiles.files.flatMap(({ name, bytes }) => [
    `      ${paint('cyan', `── ${safe(name)}`)}`,
    ...indented(bytes.toString('utf8').replace(/\n$/, ''), (_, text) => text),
  ]);
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
