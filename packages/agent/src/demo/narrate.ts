/** Prints the session of the demo: messages, the decision of each hook, and the results. */

import type { Hook } from 'anyhook';
import { brief, type Paint } from 'anyhook/views';
import type { Happening, Listen } from '../front/happening.ts';
import { gist } from '../screen/gist.ts';
import type { Message } from '../session/message.ts';
import { textOf } from '../session/message.ts';

export interface Telling {
  readonly print: (line: string) => void;
  readonly paint: Paint;
  readonly hookOf: (id: string) => Hook | undefined;
  /** The conversation as the model sees it. */
  readonly messages: () => readonly Message[];
  /** Shortens the temporary folders in a path for display. */
  readonly short: (text: string) => string;
}
const WIDTH = 58;
/** Effects in words for newcomers. */
const PLAIN: Readonly<Record<string, string>> = {
  'added context': 'adds context for the model',
  'said something': 'shows you a message',
  'changed input.command': 'rewrote the command',
  'changed content': 'changed what the tool returned',
  'changed context': 'adds to the summary prompt',
};

export function narrate({ print, paint, hookOf, messages, short }: Telling): Listen {
  let hasBegun = false;
  let known = 0;
  const came = (text: string) => print(`    ${paint('dim', '→')} ${brief(short(text), WIDTH + 15)}`);
  const lines: { readonly [K in Happening['kind']]?: (h: Extract<Happening, { kind: K }>) => void } = {
    session: ({ model }) => {
      if (!hasBegun) print(`\n${paint('bold', 'A session begins')} ${paint('dim', `(${model})`)}`);
      hasBegun = true; // This event is sent again when the session gets a title.
    },
    prompt: ({ text }) => print(`${paint('bold', 'You')}    ${text}`),
    said: ({ text }) => print(`${paint('bold', 'Model')}  ${text}`),
    tool: ({ tool, input }) => print(`  ${paint('cyan', tool)} ${brief(gist(input), WIDTH)}`),
    'hook-ended': ({ id, decided }) => {
      const hook = hookOf(id);
      if (hook === undefined || (decided === '' && !hook.background)) return;
      const what = brief(
        hook.background ? `${hook.on}, in the background` : (PLAIN[decided] ?? decided),
        WIDTH,
      );
      const where = `  ${short(hook.origin.file)}`;
      const from = what.length + where.length > WIDTH ? '' : paint('dim', where);
      print(`    ${paint('yellow', hook.dialect.padEnd(16))} ${what}${from}`);
    },
    notice: ({ text }) => came(`you are told: ${text}`),
    'tool-ended': ({ output, refused, title, changed }) => {
      if (refused !== undefined) return came('it does not run; the model reads why');
      if (changed !== undefined) came(`what runs: ${title}`);
      came(`the model reads: ${output.replaceAll(/^\d+\t/gm, '').replaceAll('\n', ' ')}`);
    },
    turn: () => {
      for (const message of messages().slice(known))
        if (message.role === 'custom' && message.customType === 'context')
          came(`the model reads: ${textOf(message).replaceAll(/<\/?context>\n?/g, '')}`);
      known = messages().length;
    },
    compacting: () => print(`${paint('bold', 'You')}    /compact`),
    compacted: ({ summary, before, after }) => {
      came(`${before} messages became ${after}: ${summary}`);
      known = after;
    },
    stopped: ({ why, detail }) => {
      if (why !== 'done') print(paint('red', `stopped (${why}) ${detail ?? ''}`));
    },
  };
  return (happening) => (lines[happening.kind] as Listen | undefined)?.(happening); // Each listener is keyed by the kind of its event.
}
