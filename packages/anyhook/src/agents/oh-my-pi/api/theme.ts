import type { Theme } from './types/index.ts';

const asIs = (text: string): string => text;
const second = (_color: string, text: string): string => text;

/** Without a screen a theme still works: it leaves text as it is. */
export const PLAIN: Theme = Object.freeze({
  name: 'plain',
  fg: second,
  bg: second,
  bold: asIs,
  italic: asIs,
  underline: asIs,
  inverse: asIs,
  strikethrough: asIs,
});
