import type { Problem } from 'anyhook';

const HASH = /sha256:[0-9a-f]{64}/;

/** A problem in one line: where, what, what to do; for what waits for trust also the flag of this program. */
export function problemLine({ code, file, line, column, key, message, remedy }: Problem): string {
  const place = [file, line, column].filter((part) => part !== undefined).join(':');
  const hash = code === 'not-trusted' ? HASH.exec(remedy ?? '')?.[0] : undefined;
  const said = key === undefined ? message : `${key} ${message}`;
  const isSentence = remedy === undefined || /[.?!…]$/.test(said);
  return [
    `${place}:`,
    isSentence ? said : `${said}.`,
    remedy,
    ...(hash === undefined ? [] : [`For this run only: --trust ${hash}`]),
  ]
    .filter((part) => part !== undefined)
    .join(' ');
}
