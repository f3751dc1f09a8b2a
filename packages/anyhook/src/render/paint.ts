/** Colours, only for terminals. */

import { styleText } from 'node:util';

export type Style = 'red' | 'green' | 'yellow' | 'cyan' | 'dim' | 'bold';
export type Paint = (style: Style, text: string) => string;

export const plain: Paint = (_, text) => text;
export const coloured: Paint = (style, text) => styleText(style, text, { validateStream: false });

export function paintFor(
  stream: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): Paint {
  if (env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '') return plain;
  const forced = env['FORCE_COLOR'] !== undefined && env['FORCE_COLOR'] !== '0';
  return forced || (stream.isTTY === true && env['TERM'] !== 'dumb') ? coloured : plain;
}
