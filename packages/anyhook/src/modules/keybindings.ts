/** Key names and key sequences that components `(tui, theme, keybindings, done)` of the pi family query. */
export interface Keybindings {
  /** Whether the input is one of the keys with that name. */
  matches(data: string, name: string): boolean;
  getKeys(name: string): string[];
  getDefinition(name: string): { readonly defaultKeys: readonly string[] } | undefined;
  getResolvedBindings(): Record<string, readonly string[]>;
}

const KEYS: Readonly<Record<string, readonly string[]>> = {
  'tui.editor.cursorUp': ['up'],
  'tui.editor.cursorDown': ['down'],
  'tui.editor.cursorLeft': ['left', 'ctrl+b'],
  'tui.editor.cursorRight': ['right', 'ctrl+f'],
  'tui.editor.cursorLineStart': ['home', 'ctrl+a'],
  'tui.editor.cursorLineEnd': ['end', 'ctrl+e'],
  'tui.editor.pageUp': ['pageUp'],
  'tui.editor.pageDown': ['pageDown'],
  'tui.editor.deleteCharBackward': ['backspace'],
  'tui.editor.deleteCharForward': ['delete', 'ctrl+d'],
  'tui.editor.deleteWordBackward': ['ctrl+w'],
  'tui.editor.deleteToLineStart': ['ctrl+u'],
  'tui.editor.deleteToLineEnd': ['ctrl+k'],
  'tui.editor.yank': ['ctrl+y'],
  'tui.input.newLine': ['shift+enter'],
  'tui.input.submit': ['enter'],
  'tui.input.tab': ['tab'],
  'tui.input.copy': ['ctrl+c'],
  'tui.select.up': ['up'],
  'tui.select.down': ['down'],
  'tui.select.pageUp': ['pageUp'],
  'tui.select.pageDown': ['pageDown'],
  'tui.select.confirm': ['enter'],
  'tui.select.cancel': ['escape', 'ctrl+c'],
};
/** Sequences that terminals send. Control characters are computed. */
const SENT: Readonly<Record<string, readonly string[]>> = {
  up: ['\u001b[A', '\u001bOA'],
  down: ['\u001b[B', '\u001bOB'],
  right: ['\u001b[C', '\u001bOC'],
  left: ['\u001b[D', '\u001bOD'],
  home: ['\u001b[H', '\u001bOH', '\u001b[1~'],
  end: ['\u001b[F', '\u001bOF', '\u001b[4~'],
  pageUp: ['\u001b[5~'],
  pageDown: ['\u001b[6~'],
  delete: ['\u001b[3~'],
  backspace: ['\u007f', '\b'],
  enter: ['\r', '\n'],
  'shift+enter': ['\u001b[13;2u', '\u001b\r'],
  tab: ['\t'],
  escape: ['\u001b'],
};

/** Older versions used names without `tui.`, and a few different ones. */
const named = (name: string): string =>
  Object.hasOwn(KEYS, name) || name.startsWith('tui.') ? name : (OLD[name] ?? `tui.${name}`);
const OLD: Readonly<Record<string, string>> = {
  selectUp: 'tui.select.up',
  selectDown: 'tui.select.down',
  selectConfirm: 'tui.select.confirm',
  selectCancel: 'tui.select.cancel',
  submit: 'tui.input.submit',
  newLine: 'tui.input.newLine',
};

const keysOf = (name: string): readonly string[] =>
  Object.hasOwn(KEYS, named(name)) ? KEYS[named(name)]! : [];
const isSent = (data: string, key: string): boolean =>
  /^ctrl\+[a-z]$/.test(key)
    ? data === String.fromCharCode(key.charCodeAt(5) - 96)
    : (SENT[key]?.includes(data) ?? false);

export const KEYBINDINGS: Keybindings = Object.freeze({
  matches: (data: string, name: string) => keysOf(name).some((key) => isSent(data, key)),
  getKeys: (name: string) => [...keysOf(name)],
  getDefinition: (name: string) =>
    keysOf(name).length === 0 ? undefined : { defaultKeys: [...keysOf(name)] },
  getResolvedBindings: () =>
    Object.fromEntries(Object.entries(KEYS).map(([name, keys]) => [name, [...keys]])),
});
