/** `docs/reference/errors.md`: one heading per code that a message shows in brackets. */

/** @param {Readonly<Record<string, { cause: string, example: string, fix: string }>>} codes */
export const errorPage = (codes) =>
  Object.entries(codes)
    .toSorted(([a], [b]) => a.localeCompare(b))
    .flatMap(([code, { cause, example, fix }]) => [
      `## ${code}`,
      '',
      cause,
      '',
      '```',
      example,
      '```',
      '',
      `**Fix:** ${fix}`,
      '',
    ])
    .join('\n')
    .trimEnd();
