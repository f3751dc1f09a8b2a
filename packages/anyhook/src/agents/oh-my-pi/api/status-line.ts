/** Formats the status texts of hooks: sorted by key, without control characters, and cut to the screen width. */

import { cutTo, widthOf } from '../../../render/safe.ts';

export function statusLine(texts: ReadonlyMap<string, string>, width: number): string {
  const shown = [...texts]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([, text]) => statusText(text))
    .filter((text) => text !== '')
    .join(' ');
  if (widthOf(shown) <= width) return shown;
  return width < 1 ? '' : `${cutTo(shown, width - 1)}…`;
}

/** Returns one line without escape sequences and other characters that control a terminal or hide text. */
export const statusText = (text: string): string =>
  text.replace(SEQUENCE, '').replace(BREAK, ' ').replace(HIDDEN, '').replace(/ {2,}/g, ' ').trim();

/** CSI; OSC, DCS, SOS, PM and APC with their content, terminated or not; two-character escapes. */
const SEQUENCE =
  // oxlint-disable-next-line no-control-regex -- control sequences are the very thing looked for
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?|\u001b[ -/]*[0-~]?/g;
// oxlint-disable-next-line no-control-regex -- so are control characters
const BREAK = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;
const HIDDEN =
  /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\p{Surrogate}/gu;
