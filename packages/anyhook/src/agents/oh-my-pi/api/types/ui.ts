/** A component draws itself as lines that fit a width. */
export interface Component {
  render(width: number): string[];
  handleInput?(data: string): void;
  invalidate?(): void;
  dispose?(): void;
}
export interface Theme {
  fg(color: string, text: string): string;
  bg(color: string, text: string): string;
  bold(text: string): string;
  italic(text: string): string;
  underline(text: string): string;
  [more: string]: unknown;
}
/** Documented hooks take `(tui, theme, done)`, later ones `(tui, theme, keybindings, done)`. The host calls it. */
export type CustomFactory<T> =
  | ((tui: unknown, theme: Theme, done: (result: T) => void) => Component | Promise<Component>)
  | ((
      tui: unknown,
      theme: Theme,
      keybindings: unknown,
      done: (result: T) => void,
    ) => Component | Promise<Component>);

export interface HookUIContext {
  select(title: string, options: string[]): Promise<string | undefined>;
  confirm(title: string, message: string): Promise<boolean>;
  input(title: string, placeholder?: string): Promise<string | undefined>;
  notify(message: string, type?: 'info' | 'warning' | 'error'): void;
  /** `undefined` removes the text of the key. */
  setStatus(key: string, text: string | undefined, options?: { color?: string }): void;
  /** The value passed to `done`; `undefined` if nothing can be drawn. */
  custom<T>(factory: CustomFactory<T>): Promise<T>;
  setEditorText(text: string): void;
  getEditorText(): string;
  editor(
    title: string,
    prefill?: string,
    options?: { signal?: AbortSignal },
    editorOptions?: { promptStyle?: boolean },
  ): Promise<string | undefined>;
  readonly theme: Theme;
}
