/** Line output for runs without a terminal. Answers go to stdout and everything else to stderr. */

import { brief, type Paint, safe } from 'anyhook/views';
import type { Happening, Listen } from '../front/happening.ts';
import { gist } from './gist.ts';
import { BEFORE_HUNKS } from './patch-head.ts';

export interface PlainTerms {
  readonly answer: (text: string) => void;
  readonly note: (line: string) => void;
  readonly paint: Paint;
}
const WIDTH = 100;
/** Reasons of refusals are never cut, because they appear nowhere else. */
const whole = (text: string): string => safe(text).trim().replaceAll('\n', '\n    ');

const MOST_LINES = 40;
/** Drops the header of a patch; the call has named the file. */
function patchLines(diff: string): string[] {
  const lines = safe(diff).replace(BEFORE_HUNKS, '').trimEnd().split('\n');
  if (lines.length <= MOST_LINES) return lines;
  return [...lines.slice(0, MOST_LINES - 1), `… ${lines.length - MOST_LINES + 1} more lines`];
}

export function plainLines({ answer, note, paint }: PlainTerms): Listen {
  /** Hook reasons by call, so that a reason is not printed twice. */
  const printedReasons = new Map<string, string>();
  const lines: { readonly [K in Happening['kind']]?: (h: Extract<Happening, { kind: K }>) => void } = {
    said: ({ text }) => answer(safe(text)),
    tool: ({ tool, input }) => note(`${paint('cyan', safe(tool))} ${brief(gist(input), WIDTH)}`),
    'tool-ended': ({ call, refused, isError, output, changed = [], input, diff }) => {
      if (changed.length > 0)
        note(
          `  ${paint('cyan', 'changed by a hook')}: ${brief(changed.join(', '), WIDTH)}${input === undefined ? '' : `; what ran: ${whole(gist(input))}`}`,
        );
      if (diff !== undefined && !isError) for (const line of patchLines(diff)) note(`  ${line}`);
      if (refused !== undefined && printedReasons.get(call)?.includes(refused) === true)
        note(`  ${paint('red', 'refused')}`);
      else if (refused !== undefined) note(`  ${paint('red', 'refused')}: ${whole(refused)}`);
      else if (isError) note(`  ${paint('red', 'failed')}: ${brief(output, WIDTH)}`);
    },
    'hook-ended': ({ name, on, decided, call, isSecondRound }) => {
      if (call !== undefined) printedReasons.set(call, `${printedReasons.get(call) ?? ''}${decided}\n`);
      const when = `${on}${isSecondRound === true ? ', asked again' : ''}`;
      if (decided !== '') note(`  ${paint('dim', `${brief(name, 60)} (${when})`)} ${whole(decided)}`);
    },
    notice: ({ text, level }) =>
      note(
        level === 'info'
          ? safe(text)
          : `${paint(level === 'error' ? 'red' : 'yellow', level)}: ${safe(text)}`,
      ),
    custom: ({ type, message }) => {
      if (message['display'] !== false)
        note(`[${safe(type)}] ${brief(String(message['content'] ?? ''), WIDTH)}`);
    },
    compacted: ({ before, after }) => note(`compacted: ${before} → ${after} messages`),
    retrying: ({ why, inMs }) => note(`${brief(why, WIDTH)}; trying again in ${Math.ceil(inMs / 1000)} s`),
    stopped: ({ why, detail }) => {
      if (why !== 'done')
        note(`${paint('red', 'stopped')} (${why})${detail === undefined ? '' : `: ${safe(detail)}`}`);
    },
  };
  return (happening) => (lines[happening.kind] as Listen | undefined)?.(happening); // Each listener is keyed by the kind of its happening.
}
