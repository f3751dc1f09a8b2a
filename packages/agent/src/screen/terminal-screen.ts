/** The interactive terminal: transcript, running hooks, prompt or dialog, status bar. */

import { isBuiltIn } from 'anyhook/views';
import type { Happening } from '../front/happening.ts';
import type { Dialogs, Permission, Person } from '../front/person.ts';
import type { AgentPort } from './agent-port.ts';
import { HookLines } from './hook-lines.ts';
import { keepConsole } from './keep-console.ts';
import { editorLooks } from './looks.ts';
import {
  type AutocompleteProvider,
  CombinedAutocompleteProvider,
  type Component,
  Container,
  Editor,
  matchesKey,
  ProcessTerminal,
  type SlashCommand,
  Spacer,
  type Terminal,
  TUI,
} from './packed-pi-tui.ts';
import { questions } from './questions.ts';
import { runSlash, type SlashContext, SLASHES } from './slash.ts';
import { StatusBar } from './status-bar.ts';
import { makeTheme, type Theme, type ThemeName } from './theme.ts';
import { Transcript } from './transcript.ts';
import { WorkLine } from './work-line.ts';

export interface ScreenTerms {
  readonly theme: ThemeName;
  readonly cwd: string;
  readonly terminal?: Terminal;
}

export interface Opening {
  /** The prompt from the command line. */
  readonly first?: string;
  /** Happenings from before the screen opened. */
  readonly early?: readonly Happening[];
  /** Whether to ask which session to resume. */
  readonly choose?: boolean;
}

/** Refresh interval in milliseconds of the elapsed time of running hooks. */
const TICK_MS = 200;
/** A second ctrl+c within this time exits. */
const TWICE_MS = 1500;

export class TerminalScreen {
  readonly person: Person;
  readonly #tui: TUI;
  readonly #terms: ScreenTerms;
  readonly #slot = new Container();
  readonly #editor: Editor;
  readonly #theme: Theme;
  #transcript: Transcript;
  readonly #hookLines: HookLines;
  readonly #work: WorkLine;
  readonly #status: StatusBar;
  #agent: AgentPort | undefined;
  #tick: NodeJS.Timeout | undefined;
  #giveBack: () => void = () => {};
  #lastInterrupt = 0;
  #usage = '';
  #title: string | undefined;
  #session: string | undefined;
  readonly #left: Promise<void>;
  #leave: () => void = () => {};

  constructor(terms: ScreenTerms) {
    this.#terms = terms;
    this.#theme = makeTheme(terms.theme);
    this.#tui = new TUI(terms.terminal ?? new ProcessTerminal());
    this.#transcript = this.#newTranscript();
    this.#hookLines = new HookLines(this.#theme);
    this.#work = new WorkLine(this.#theme);
    this.#status = new StatusBar(this.#theme);
    this.#editor = new Editor(this.#tui, editorLooks(this.#theme));
    this.#editor.onSubmit = (text) => void this.#submitted(text);
    this.#slot.addChild(this.#editor);
    this.#left = new Promise((resolve) => void (this.#leave = resolve));
    const asking = questions({
      tui: this.#tui,
      theme: this.#theme,
      show: (component) => this.#show(component),
    });
    const dialogs: Dialogs = {
      ...asking,
      notify: (text, level = 'info') => this.#hear({ kind: 'notice', text, level }),
      status: (key, text) => {
        this.#status.status(key, text);
        this.#tui.requestRender();
      },
      setEditorText: (text) => {
        this.#editor.setText(text);
        this.#tui.requestRender();
      },
      getEditorText: () => this.#editor.getText(),
      theme: this.#theme,
    };
    this.person = { isThere: true, dialogs, permit: permit(dialogs) };
    this.#lay();
    this.#tui.addInputListener((data) => this.#key(data));
  }

  /** Resolves when the user exits. */
  get left(): Promise<void> {
    return this.#left;
  }
  /** Opens the screen for questions about trust, before the agent exists. */
  open(): void {
    this.#tui.setFocus(this.#editor);
    this.#tui.start();
    this.#giveBack = keepConsole((text, level) => this.#hear({ kind: 'notice', text, level }));
    process.once('exit', this.#restore).once('SIGTERM', this.#leave).once('SIGHUP', this.#leave);
    this.#tick = setInterval(
      () => (this.#hookLines.isWaiting || this.#work.isWorking) && this.#tui.requestRender(),
      TICK_MS,
    );
  }
  /** Restores the terminal. */
  async shut(): Promise<void> {
    clearInterval(this.#tick);
    await this.#tui.terminal.drainInput(200, 20);
    process.off('exit', this.#restore).off('SIGTERM', this.#leave).off('SIGHUP', this.#leave);
    this.#restore();
  }
  /** Also runs on a crash: a terminal without echo is unusable. */
  readonly #restore = (): void => {
    this.#giveBack();
    this.#tui.stop();
  };

  /** Shows the agent until the user exits. */
  async run(agent: AgentPort, { first = '', early = [], choose = false }: Opening = {}): Promise<void> {
    this.#agent = agent;
    const stop = agent.listen((happening) => this.#hear(happening));
    this.#greet(agent);
    this.#complete(agent);
    for (const happening of early) this.#hear(happening);
    if (choose) await this.#submitted('/resume');
    if (first !== '') void this.#submitted(first);
    try {
      await this.#left;
    } finally {
      stop();
    }
  }

  #lay(): void {
    this.#tui.clear();
    const above = [this.#transcript, this.#hookLines, this.#work, new Spacer(1)];
    for (const part of [...above, this.#slot, this.#status]) this.#tui.addChild(part);
  }
  #newTranscript(): Transcript {
    return new Transcript({
      theme: this.#theme,
      rendererOf: (type) => this.#agent?.hooks.offers.renderers.find((one) => one.type === type),
      redraw: () => this.#tui.requestRender(),
    });
  }
  #show(component: Component | undefined): void {
    this.#slot.clear();
    this.#slot.addChild(component ?? this.#editor);
    this.#tui.setFocus(component ?? this.#editor);
    this.#tui.requestRender();
  }

  #greet(agent: AgentPort): void {
    const { length } = agent.hooks.hooks.filter((hook) => !isBuiltIn(hook));
    const hooks = length === 1 ? '1 hook' : `${length} hooks`;
    this.#transcript.line(`anyhook-agent · ${agent.model} · ${hooks} · /help`, 'accent');
    for (const happening of agent.past()) this.#transcript.hear(happening);
    this.#footer();
    this.#tui.requestRender();
  }
  #footer(): void {
    if (this.#agent === undefined) return;
    this.#status.left(`${this.#terms.cwd} · ${this.#title ?? this.#agent.session.id.slice(0, 8)}`);
    this.#status.right([this.#usage, this.#agent.model].filter(Boolean).join(' · '));
  }
  #complete(agent: AgentPort): void {
    const own = SLASHES.map(({ name, description, hint }) => ({
      name,
      description,
      ...(hint !== undefined && { argumentHint: hint }),
    }));
    const theirs = agent.commands().map(({ name, description = '' }) => ({ name, description }));
    this.#editor.setAutocompleteProvider(completion([...own, ...theirs], this.#terms.cwd));
  }

  #hear(happening: Happening): void {
    if (happening.kind === 'hook') this.#hookLines.start(happening);
    if (happening.kind === 'hook-ended') this.#hookLines.end(happening.id);
    if (happening.kind === 'stopped') this.#hookLines.clear();
    if (happening.kind === 'session') this.#enter(happening);
    if (happening.kind === 'usage') this.#usage = `${happening.input}↑ ${happening.output}↓`;
    this.#work.hear(happening);
    this.#transcript.hear(happening);
    this.#footer();
    this.#tui.requestRender();
  }

  #enter({ id, title }: Extract<Happening, { kind: 'session' }>): void {
    const isAnother = this.#session !== undefined && id !== this.#session;
    if (id !== this.#session) this.#usage = '';
    this.#session = id;
    this.#title = title;
    if (isAnother && this.#agent !== undefined) this.#turnPage(this.#agent);
  }

  /** Shows the current session from its beginning. */
  #turnPage(agent: AgentPort): void {
    this.#transcript = this.#newTranscript();
    this.#lay();
    this.#greet(agent);
  }

  async #submitted(text: string): Promise<void> {
    const agent = this.#agent;
    if (agent === undefined || text.trim() === '') return;
    this.#editor.addToHistory(text);
    try {
      if (!(await runSlash(text.trim(), this.#slashContext(agent)))) await agent.prompt(text);
    } catch (error) {
      this.#hear({
        kind: 'notice',
        level: 'error',
        text: error instanceof Error ? error.message : String(error),
      });
    }
    this.#complete(agent); // A command may have added or removed other commands.
    this.#footer();
    this.#tui.requestRender();
  }
  #slashContext(agent: AgentPort): SlashContext {
    return {
      agent,
      ui: this.person.dialogs!,
      cwd: this.#terms.cwd,
      say: (text) => {
        this.#transcript.line(text, 'text');
        this.#tui.requestRender();
      },
      turnPage: () => this.#turnPage(agent),
      setTheme: (name) => {
        this.#theme.use(name);
        this.#tui.invalidate();
        this.#tui.requestRender(true);
      },
      leave: () => this.#leave(),
    };
  }

  #key(data: string): { consume: true } | undefined {
    const agent = this.#agent;
    if (matchesKey(data, 'ctrl+c')) return this.#interrupted(agent);
    if (matchesKey(data, 'ctrl+o')) this.#transcript.toggle();
    else if (matchesKey(data, 'ctrl+d') && this.#editor.getText() === '') this.#leave();
    else if (matchesKey(data, 'escape') && this.#isAtPrompt() && agent?.isIdle() === false) agent.abort();
    else return undefined;
    this.#tui.requestRender();
    return { consume: true };
  }
  /** False while a dialog or the completion list handles esc. */
  #isAtPrompt(): boolean {
    return this.#slot.children[0] === this.#editor && !this.#editor.isShowingAutocomplete();
  }
  #interrupted(agent: AgentPort | undefined): { consume: true } {
    const now = Date.now();
    if (agent === undefined || now - this.#lastInterrupt < TWICE_MS) this.#leave();
    this.#lastInterrupt = now;
    if (agent?.isIdle() === false) agent.abort();
    else this.#editor.setText('');
    this.#transcript.line('ctrl+c again leaves', 'dim');
    this.#tui.requestRender();
    return { consume: true };
  }
}

/** Completes commands after a slash and files after an @. */
function completion(commands: readonly SlashCommand[], cwd: string): AutocompleteProvider {
  const found = new CombinedAutocompleteProvider([...commands], cwd);
  return {
    getSuggestions: (...asked) => found.getSuggestions(...asked),
    shouldTriggerFileCompletion: (...asked) => found.shouldTriggerFileCompletion(...asked),
    applyCompletion(lines, row, column, item, prefix) {
      // The list may be older than the line, because the user may have typed more since it was made.
      const typed = (lines[row] ?? '').slice(0, column);
      const now = /^\/\S*$/.test(typed) && typed.startsWith(prefix) ? typed : prefix;
      return found.applyCompletion(lines, row, column, item, now);
    },
  };
}

const ONCE = 'Yes, this once';
const DENY = 'No';
const SAY = 'No, and tell it what to do instead';

/** Asks for permission in a dialog that shows the exact call and the reasons for the question. */
export function permit(dialogs: Pick<Dialogs, 'select' | 'input'>): Person['permit'] {
  return async ({ title, reasons, rule, changed }, signal): Promise<Permission> => {
    const always = `Yes, and ${rule} for the rest of this session`;
    const about = [
      `May this run?  ${title}`,
      ...(changed.length === 0 ? [] : [`A hook changed: ${changed.join(', ')}`]),
      ...reasons,
    ];
    const chosen = await dialogs.select(about.join('\n'), [ONCE, always, DENY, SAY], signal);
    if (chosen === SAY) {
      const words = (await dialogs.input('What should it do instead?', '', signal))?.trim() ?? '';
      return words === '' ? 'deny' : { no: words };
    }
    return chosen === ONCE ? 'once' : chosen === always ? 'always' : 'deny';
  };
}
