/** Header values may name variables; only those that the hook lists are told, any other is empty. */
export function headersOf(
  headers: Readonly<Record<string, string>>,
  allowed: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const value = (name: string) => (allowed.includes(name) ? (env[name] ?? '') : '');
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !OURS.has(name.toLowerCase()))
      .map(([name, text]) => [
        name,
        text.replaceAll(VARIABLE, (_, braced?: string, bare?: string) => value((braced ?? bare)!)),
      ]),
  );
}

const VARIABLE = /\$\{([A-Za-z_]\w*)\}|\$([A-Za-z_]\w*)/g;

/** How the message is framed and whom it is for is the runner's to say. */
export const OURS: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'upgrade',
  'expect',
  'te',
  'trailer',
]);
