/** Commands that do exactly what their words say: one program, no variables, redirections or wrappers. */

import { quotedWord } from '../events/tool-words.ts';
import { analyseOnce } from './analyse.ts';
import type { ShellWord } from './word.ts';

export interface PlainCommand {
  /** The command in one spelling, with quotes only where they are needed. */
  readonly exact: string;
  /** Program, subcommand and options, such as `git push --force`. The same for all operands. */
  readonly shape: string;
}

const PLAIN_WORD = /^[\w@%+=:,./-]+$/;

/** Returns undefined if the text runs anything else than one program with fixed words. */
export function plainCommand(text: string): PlainCommand | undefined {
  const { acts, settings, writes, unjudgeable, isCut } = analyseOnce(text);
  const [act] = acts;
  if (act === undefined || acts.length > 1 || settings.length > 0 || writes.length > 0) return undefined;
  if (unjudgeable.length > 0 || isCut) return undefined;
  if (act.text.trim() !== text.trim() || act.words.some(isExpanded)) return undefined;
  // Only what the words say: a redirection or an operator of the shell is part of the text, but no word.
  const words = act.words.map(({ value }) => value);
  const written = act.words.map((word) => word.text).join('');
  if (written.replaceAll(/\s+/g, '') !== text.replaceAll(/\s+/g, '')) return undefined;
  const { command } = act.invocation;
  const dashes = words.indexOf('--');
  const options = words.slice(1, dashes === -1 ? undefined : dashes).filter((word) => /^-./.test(word));
  const shape = [command, ...[...new Set(options)].toSorted()].join(' ');
  return { exact: words.map(quotedWord).join(' '), shape };
}

const isExpanded = ({ fixed, text }: ShellWord): boolean => !fixed || text.startsWith('~');

/** Whether a shape can be part of a matcher, in which other characters have a meaning. */
export const isPlainShape = (shape: string): boolean =>
  shape.split(' ').every((word) => PLAIN_WORD.test(word) && !word.includes('*'));
