/** Without a terminal: lines. Answers go to stdout, everything else to stderr, so that a pipe gets the answer alone. */
import { brief, type Paint, safe } from 'anyhook/views';
import type { Happening, Listen } from '../front/happening.ts';
import { gist } from './gist.ts';

export interface PlainTerms {
  readonly answer: (text: string) => void;
  readonly note: (line: string) => void;
  readonly paint: Paint;
}
const WIDTH = 100;
/** Why something was refused is never cut: nothing else says it. */
const whole = (text: string): string => safe(text).trim().replaceAll('\n', '\n    ');

export function plainLines({ answer, note, paint }: PlainTerms): Listen {
  const lines: { readonly [K in Happening['kind']]?: (h: Extract<Happening, { kind: K }>) => void } = {
    said: ({ text }) => answer(safe(text)),
    tool: ({ tool, input }) => note(`${paint('cyan', safe(tool))} ${brief(gist(input), WIDTH)}`),
    'tool-ended': ({ refused, isError, output, changed = [] }) => {
      if (changed.length > 0)
        note(`  ${paint('cyan', 'changed by a hook')}: ${brief(changed.join(', '), WIDTH)}`);
      if (refused !== undefined) note(`  ${paint('red', 'refused')}: ${whole(refused)}`);
      else if (isError) note(`  ${paint('red', 'failed')}: ${brief(output, WIDTH)}`);
    },
    'hook-ended': ({ name, on, decided }) => {
      if (decided !== '') note(`  ${paint('dim', `${brief(name, 60)} (${on})`)} ${whole(decided)}`);
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
  return (happening) => (lines[happening.kind] as Listen | undefined)?.(happening); // keyed by its kind
}
