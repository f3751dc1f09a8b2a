/** Replaces a text above its dialect's limit with a preview. The full text, without secrets, goes to a file. */

import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Dialect } from '../events/dialect.ts';
import type { Hook } from '../events/hook.ts';
import type { Ruling } from '../events/outcome.ts';
import { createRedactor, type Env, type Redactor } from '../journal/index.ts';

const PREVIEW = 1_000;

export type Shorten = (outcome: Ruling) => Ruling;

/** Creates `folder` with the first text that is too long. */
export function makeShorten(
  hooks: readonly Hook[],
  dialects: readonly Dialect[],
  folder: string,
  env: Env,
): Shorten {
  let redactor: Redactor | undefined; // built with the first long text: few sessions have one
  const limits = new Map(dialects.map(({ name, longestText }) => [name, longestText]));
  const least = Math.min(...[...limits.values()].map((limit) => limit ?? Infinity));
  const longest = (id: string) => limits.get(hooks.find((hook) => hook.id === id)?.dialect ?? '') ?? Infinity;
  const isLong = ({ by, text }: Ruling['said'][number]) => text.length > least && text.length > longest(by);
  return (outcome) => {
    if (!outcome.said.some(isLong)) return outcome;
    const lost: string[] = [];
    const texts = outcome.said.map((entry) => {
      if (!isLong(entry)) return entry;
      redactor ??= createRedactor({ env });
      const stored = keep(redactor.text(entry.text), folder);
      if (!stored.ok) lost.push(`the rest of a long text from ${entry.by}: ${stored.why}`);
      return {
        ...entry,
        text: `${preview(entry.text)}\n${stored.ok ? whole(entry.text, stored) : cut(entry.text)}`,
      };
    });
    return { ...outcome, said: texts, lost: [...outcome.lost, ...lost] };
  };
}

interface KeptText {
  readonly ok: true;
  readonly file: string;
  /** Number of secrets removed. */
  readonly redacted: number;
}

/** Named by content, so the same text is stored once. Only its owner can read it. */
function keep(
  { text, redacted }: ReturnType<Redactor['text']>,
  folder: string,
): KeptText | { readonly ok: false; readonly why: string } {
  const file = join(folder, `${createHash('sha256').update(text).digest('hex').slice(0, 32)}.txt`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    return { ok: false, why: (error as Error).message };
  }
  try {
    writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
    return { ok: true, file, redacted };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'EEXIST' ? { ok: true, file, redacted } : { ok: false, why: message };
  }
}

const whole = (text: string, { file, redacted }: KeptText): string =>
  `… (${text.length} characters in all; the whole text${redacted > 0 ? ', without secrets,' : ''} is in ${file})`;
const cut = (text: string): string => `… (cut here, of ${text.length} characters)`;

/** Does not cut a surrogate pair. */
const preview = (text: string): string => text.slice(0, PREVIEW).replace(/[\ud800-\udbff]$/, '');
