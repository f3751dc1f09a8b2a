/**
 * One screen for a whole project: all that will run, each script and each warning once. Then one answer for all, or one by one.
 */

import { createInterface } from 'node:readline/promises';
import { isYes } from '../console/answer-to.ts';
import { contentsOf, headOf, whatOf, warningsOf } from '../console/examined.ts';
import { print } from '../console/print.ts';
import type { ExaminedEntry } from '../gather/gate.ts';
import { shortPath, type Screen } from '../render/screen.ts';

/** Returns the entries that the user trusts. Entries that are trusted already or cannot be trusted are not asked for. */
export async function consentedTo(
  examined: readonly ExaminedEntry[],
  screen: Screen,
): Promise<readonly ExaminedEntry[]> {
  const open = examined.filter(({ judgement }) => judgement.state !== 'trusted');
  const waiting = open.filter(({ judgement }) => judgement.state !== 'untrustable');
  if (open.length > 0) print(screenOf(open, screen));
  if (waiting.length === 0) return [];
  const dialog = createInterface({ input: process.stdin, output: process.stdout });
  const lines = dialog[Symbol.asyncIterator](); // keeps what is typed ahead
  const ask = async (question: string): Promise<string> => {
    dialog.setPrompt(question);
    dialog.prompt();
    const { value } = (await lines.next()) as { value?: string };
    return (value ?? '').trim();
  };
  try {
    if (waiting.length === 1) return isYes(await ask('  Trust exactly this? [y/N] ')) ? waiting : [];
    const answer = await ask(`  Trust all ${waiting.length} as shown? [y]es, [o]ne by one, [N]o: `);
    if (!/^o(?:ne(?: by one)?)?$/i.test(answer)) return isYes(answer) ? waiting : [];
    const chosen: ExaminedEntry[] = [];
    for (const [at, one] of waiting.entries()) {
      print(['', ...headOf(one, screen)]);
      if (isYes(await ask(`  ${at + 1} of ${waiting.length}: trust exactly this? [y/N] `))) chosen.push(one);
    }
    return chosen;
  } finally {
    dialog.close();
  }
}

function screenOf(open: readonly ExaminedEntry[], screen: Screen): string[] {
  const shownAt = new Map<string, string>();
  return [
    ...open.flatMap((entry) => {
      const place = `${shortPath(entry.file, screen)}:${entry.line}`;
      const isShown = (content: string) =>
        shownAt.get(content) ?? void shownAt.set(content, `${place} ${whatOf(entry)}`);
      return ['', ...headOf(entry, screen), ...contentsOf(entry, screen, isShown)];
    }),
    ...warningsOf(
      open.map(({ judgement }) => judgement),
      screen,
    ),
    '',
  ];
}
