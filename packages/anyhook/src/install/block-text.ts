/** A block of lines of ours at the end of a TOML file that is somebody else's, between two lines by which it is known again. */
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'smol-toml';
import { Unreadable } from './json-text.ts';

const BEGIN = '# anyhook: the bridge; written by `anyhook install`, taken away by `anyhook uninstall`';
const END = '# anyhook: end of the bridge';
const BLOCK = new RegExp(`(?:^|\\n)${BEGIN}\\n[^]*?\\n${END}(?:\\n|$)`);

export const hasBlock = (text: string, block: string): boolean => text.includes(framed(block));

/** Never written unless all that was said before is still said. */
export function withBlock(text: string, block: string, file: string): string {
  const before = saidIn(text, file);
  const after = `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${framed(block)}`;
  let said: Readonly<Record<string, unknown>>;
  try {
    said = parse(after);
  } catch {
    throw new Unreadable(`${file} has its hooks in a form to which none can be added; it is left as it is.`);
  }
  const { hooks: _, ...others } = said;
  const { hooks: __, ...had } = before;
  if (!isDeepStrictEqual(others, had))
    throw new Unreadable(`${file} is written in a way that cannot be edited safely; it is left as it is.`);
  return after;
}

export const withoutBlock = (text: string): string => text.replace(BLOCK, '\n').replace(/^\n/, '');

const framed = (block: string): string => `${BEGIN}\n${block.trimEnd()}\n${END}\n`;

function saidIn(text: string, file: string): Readonly<Record<string, unknown>> {
  try {
    return parse(text);
  } catch (error) {
    throw new Unreadable(`${file}: ${(error as Error).message.split('\n')[0]}; it is left as it is.`);
  }
}
