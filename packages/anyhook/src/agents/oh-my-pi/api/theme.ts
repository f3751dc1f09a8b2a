import type { Theme } from './types/index.ts';

const asIs = (text: string): string => text;
const second = (_color: string, text: string): string => text;

/** A theme without a screen leaves text unchanged. */
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
