/** Text from hooks, files and models on its way to a terminal: what could steer the terminal is shown, not sent. */
export const safe = (text: string): string =>
  // eslint-disable-next-line no-control-regex -- control characters are the very thing looked for
  text.replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (character) => {
      const code = character.charCodeAt(0).toString(16).padStart(4, '0');
      return character === '\r' ? '' : `\\u${code}`;
    },
  );

/** On one line, and not longer than it should be. */
export function brief(text: string, width: number): string {
  const line = safe(text).replaceAll('\n', ' ⏎ ');
  return line.length > width ? `${line.slice(0, Math.max(0, width - 1))}…` : line;
}
