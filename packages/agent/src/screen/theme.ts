/** Colours by meaning. Hook modules draw with the same object, under the names that modules of pi use. */
export interface Theme {
  readonly name: ThemeName;
  fg(colour: string, text: string): string;
  bg(colour: string, text: string): string;
  bold(text: string): string;
  italic(text: string): string;
  underline(text: string): string;
  inverse(text: string): string;
  strikethrough(text: string): string;
  /** Switches the theme for everything drawn from then on. */
  use(name: ThemeName): void;
  readonly [more: string]: unknown;
}
export const THEME_NAMES = ['dark', 'light', 'plain'] as const;
export type ThemeName = (typeof THEME_NAMES)[number];

/** Colours from the 256-colour palette, because users redefine the first sixteen. */
const DARK: Readonly<Record<string, number>> = {
  text: 252,
  muted: 245,
  dim: 240,
  accent: 110,
  border: 238,
  borderAccent: 110,
  borderMuted: 236,
  success: 108,
  error: 174,
  warning: 179,
  toolTitle: 152,
  toolOutput: 245,
  toolDiffAdded: 108,
  toolDiffRemoved: 174,
  toolDiffContext: 245,
  thinkingText: 243,
  mdHeading: 180,
  mdLink: 110,
  mdCode: 151,
  mdQuote: 245,
  selectedBg: 237,
  userMessageBg: 235,
  customMessageBg: 236,
  toolPendingBg: 235,
  toolSuccessBg: 235,
  toolErrorBg: 52,
};
const LIGHT: Readonly<Record<string, number>> = {
  text: 235,
  muted: 242,
  dim: 247,
  accent: 25,
  border: 250,
  borderAccent: 25,
  borderMuted: 253,
  success: 28,
  error: 124,
  warning: 130,
  toolTitle: 24,
  toolOutput: 242,
  toolDiffAdded: 28,
  toolDiffRemoved: 124,
  toolDiffContext: 242,
  thinkingText: 245,
  mdHeading: 94,
  mdLink: 25,
  mdCode: 29,
  mdQuote: 242,
  selectedBg: 254,
  userMessageBg: 255,
  customMessageBg: 254,
  toolPendingBg: 255,
  toolSuccessBg: 255,
  toolErrorBg: 224,
};

const PALETTES: Readonly<Record<ThemeName, Readonly<Record<string, number>>>> = {
  dark: DARK,
  light: LIGHT,
  plain: {},
};

export function makeTheme(first: ThemeName): Theme {
  let now = first;
  const styled = (open: string, close: string) => (text: string) =>
    now === 'plain' || text === '' ? text : `\u001b[${open}m${text}\u001b[${close}m`;
  const coloured = (layer: 38 | 48) => (colour: string, text: string) => {
    const palette = PALETTES[now];
    if (!Object.hasOwn(palette, colour)) return text;
    return styled(`${layer};5;${palette[colour]}`, layer === 38 ? '39' : '49')(text);
  };
  return {
    get name() {
      return now;
    },
    fg: coloured(38),
    bg: coloured(48),
    bold: styled('1', '22'),
    italic: styled('3', '23'),
    underline: styled('4', '24'),
    inverse: styled('7', '27'),
    strikethrough: styled('9', '29'),
    use: (name) => void (now = name),
  };
}

/** The requested theme, or the one that fits the terminal's background. Default: dark. */
export function themeFor(
  wanted: ThemeName | undefined,
  env: Readonly<Record<string, string | undefined>>,
): ThemeName {
  if (wanted !== undefined) return wanted;
  if ((env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb') return 'plain';
  const background = Number(env['COLORFGBG']?.split(';').at(-1) || NaN);
  return background === 7 || background === 15 ? 'light' : 'dark';
}
