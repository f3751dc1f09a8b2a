/** Transfers a theme between processes as the text that each of its colour functions adds. */
type Around = readonly [before: string, after: string];
export interface Palette {
  readonly fg: Readonly<Record<string, Around>>;
  readonly bg: Readonly<Record<string, Around>>;
  readonly styles: Readonly<Record<string, Around>>;
}
type Paint = (...args: string[]) => unknown;

/** The names that modules of the pi family use. */
const FG = [
  'accent',
  'border',
  'borderAccent',
  'borderMuted',
  'success',
  'error',
  'warning',
  'muted',
  'dim',
  'text',
  'thinkingText',
  'userMessageText',
  'customMessageText',
  'customMessageLabel',
  'toolTitle',
  'toolOutput',
  'mdHeading',
  'mdLink',
  'mdLinkUrl',
  'mdCode',
  'mdCodeBlock',
  'mdCodeBlockBorder',
  'mdQuote',
  'mdQuoteBorder',
  'mdHr',
  'mdListBullet',
  'toolDiffAdded',
  'toolDiffRemoved',
  'toolDiffContext',
  'bashMode',
];
const BG = [
  'selectedBg',
  'userMessageBg',
  'customMessageBg',
  'toolPendingBg',
  'toolSuccessBg',
  'toolErrorBg',
];
const STYLES = ['bold', 'italic', 'underline', 'inverse', 'strikethrough'];
const MARK = '\u0001';

export function paletteOf(theme: unknown): Palette {
  return {
    fg: sampled(FG, (name) => painted(theme, 'fg', name, MARK)),
    bg: sampled(BG, (name) => painted(theme, 'bg', name, MARK)),
    styles: sampled(STYLES, (name) => painted(theme, name, MARK)),
  };
}

/** A colour that is not in the palette leaves the text unchanged. */
export function themeOf({ fg, bg, styles }: Palette): Record<string, Paint> {
  const around = ([before, after]: Around = ['', ''], text = '') => before + text + after;
  return {
    fg: (name = '', text) => around(fg[name], text),
    bg: (name = '', text) => around(bg[name], text),
    ...Object.fromEntries(STYLES.map((name) => [name, (text?: string) => around(styles[name], text)])),
  };
}

function sampled(names: readonly string[], paint: (name: string) => string): Record<string, Around> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const [before, after, ...more] = paint(name).split(MARK);
      return before === undefined || after === undefined || more.length > 0 ? [] : [[name, [before, after]]];
    }),
  );
}

/** A theme may lack a colour that modules use, and may throw for it. */
function painted(theme: unknown, method: string, ...args: string[]): string {
  try {
    const paint = (theme as Record<string, Paint> | undefined)?.[method];
    return String(paint?.apply(theme, args) ?? '');
  } catch {
    return '';
  }
}
