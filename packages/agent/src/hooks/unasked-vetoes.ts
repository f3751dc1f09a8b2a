/**
 * Warns about plugins that refuse only in `permission.ask`. `--permission allow` never asks, so they have no effect
 * there.
 */

import type { Hooks } from 'anyhook';

export function unaskedVetoes(hooks: Hooks['hooks']): string[] {
  const filesOn = (word: string) =>
    new Set(
      hooks
        .filter(({ dialect, on }) => dialect === 'opencode' && on === word)
        .map(({ origin }) => origin.file),
    );
  const before = filesOn('tool.execute.before');
  return [...filesOn('permission.ask')]
    .filter((file) => !before.has(file))
    .map(
      (file) =>
        `${file} refuses calls only in permission.ask, and --permission allow asks for none: it guards nothing in this session. Let it refuse in tool.execute.before, or run with --permission ask.`,
    );
}
