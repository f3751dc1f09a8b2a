/** A text that is longer than its dialect lets it be: a preview goes on, the whole of it lies in a file. */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Dialect } from '../../canon/dialect.ts';
import type { Hook } from '../../canon/hook.ts';
import type { Ruling } from '../../canon/outcome.ts';

const PREVIEW = 1_000;

export type Shorten = (outcome: Ruling) => Ruling;

/** `folder` is made when the first text is too long. */
export function makeShorten(hooks: readonly Hook[], dialects: readonly Dialect[], folder: string): Shorten {
  const limits = new Map(dialects.map(({ name, longestText }) => [name, longestText]));
  const longest = new Map(hooks.map(({ id, dialect }) => [id, limits.get(dialect) ?? Infinity]));
  const isLong = ({ by, text }: Ruling['said'][number]) => text.length > (longest.get(by) ?? Infinity);
  return (outcome) => {
    if (!outcome.said.some(isLong)) return outcome;
    const lost: string[] = [];
    const said = outcome.said.map((one) => {
      if (!isLong(one)) return one;
      const kept = keep(one.text, folder);
      if (!kept.ok) lost.push(`the rest of a long text from ${one.by}: ${kept.why}`);
      return {
        ...one,
        text: `${preview(one.text)}\n${kept.ok ? whole(one.text, kept.file) : cut(one.text)}`,
      };
    });
    return { ...outcome, said, lost: [...outcome.lost, ...lost] };
  };
}

/** By its content: the same text twice is one file. Only its owner reads it. */
function keep(text: string, folder: string): { ok: true; file: string } | { ok: false; why: string } {
  const file = join(folder, `${createHash('sha256').update(text).digest('hex').slice(0, 32)}.txt`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    return { ok: false, why: (error as Error).message };
  }
  try {
    writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
    return { ok: true, file };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'EEXIST' ? { ok: true, file } : { ok: false, why: message };
  }
}

const whole = (text: string, file: string): string =>
  `… (${text.length} characters in all; the whole text is in ${file})`;
const cut = (text: string): string => `… (cut here, of ${text.length} characters)`;

/** Never half a character. */
const preview = (text: string): string => text.slice(0, PREVIEW).replace(/[\ud800-\udbff]$/, '');
