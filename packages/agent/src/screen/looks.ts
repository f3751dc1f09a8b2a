/** Adapts a theme for the components of the terminal library. */

import type { EditorTheme, MarkdownTheme, SelectListTheme } from './packed-pi-tui.ts';
import type { Theme } from './theme.ts';

export const selectLooks = (theme: Theme): SelectListTheme => ({
  selectedPrefix: (text) => theme.fg('accent', text),
  selectedText: (text) => theme.fg('accent', text),
  description: (text) => theme.fg('muted', text),
  scrollInfo: (text) => theme.fg('dim', text),
  noMatch: (text) => theme.fg('muted', text),
});

export const editorLooks = (theme: Theme): EditorTheme => ({
  borderColor: (text) => theme.fg('border', text),
  selectList: selectLooks(theme),
});

export const markdownLooks = (theme: Theme): MarkdownTheme => ({
  heading: (text) => theme.bold(theme.fg('mdHeading', text)),
  link: (text) => theme.fg('mdLink', text),
  linkUrl: (text) => theme.fg('dim', text),
  code: (text) => theme.fg('mdCode', text),
  codeBlock: (text) => theme.fg('mdCode', text),
  codeBlockBorder: (text) => theme.fg('borderMuted', text),
  quote: (text) => theme.italic(theme.fg('mdQuote', text)),
  quoteBorder: (text) => theme.fg('border', text),
  hr: (text) => theme.fg('border', text),
  listBullet: (text) => theme.fg('accent', text),
  bold: (text) => theme.bold(text),
  italic: (text) => theme.italic(text),
  strikethrough: (text) => theme.strikethrough(text),
  underline: (text) => theme.underline(text),
});
