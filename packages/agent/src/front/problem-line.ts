import type { Problem } from 'anyhook';

const HASH = /sha256:[0-9a-f]{64}/;

/** Formats a problem in one line: location, cause and remedy. If trust is missing, it adds the `--trust` option. */
export function problemLine({ code, file, line, column, key, message, remedy }: Problem): string {
  const place = [file, line, column].filter((part) => part !== undefined).join(':');
  const hash = code === 'not-trusted' ? HASH.exec(remedy ?? '')?.[0] : undefined;
  const text = key === undefined ? message : `${key} ${message}`;
  const isSentence = remedy === undefined || /[.?!…]$/.test(text);
  return [
    `${place}:`,
    isSentence ? text : `${text}.`,
    remedy,
    ...(hash === undefined ? [] : [`For this run only: --trust ${hash}`]),
  ]
    .filter((part) => part !== undefined)
    .join(' ');
}
