/** The live list of questions in a terminal: arrows choose, one key answers. */

import { emitKeypressEvents } from 'node:readline';
import type { AnswerKind } from '../approvals/answer-kind.ts';
import type { Question } from '../approvals/question.ts';
import { safe } from '../render/safe.ts';
import type { Screen } from '../render/screen.ts';
import { questionLine, questionLines, questionId } from './question-lines.ts';

const LOOK_MS = 200;
const [ALTERNATE, NORMAL, HOME, CLEAR_BELOW, HIDE, SHOW] = [
  '\u001b[?1049h',
  '\u001b[?1049l',
  '\u001b[H',
  '\u001b[J',
  '\u001b[?25l',
  '\u001b[?25h',
];
const CLEAR_LINE = '\u001b[K';
const BELL = '\u0007';

/** An `ApprovalStore`, or the questions of other machines. */
export interface QuestionSource<Q extends Question = Question> {
  /** Open questions, oldest first. */
  list(): readonly Q[];
  /** Announces that somebody sees the questions, until the returned function is called. */
  watch(): () => void;
}

export interface QuestionWatch<Q extends Question = Question> {
  readonly store: QuestionSource<Q>;
  readonly screen: () => Screen;
  /** Returns what became of it. */
  readonly answer: (question: Q, kind: AnswerKind, note?: string) => string | Promise<string>;
}

interface Key {
  readonly name?: string;
  readonly ctrl?: boolean;
  readonly sequence?: string;
}

/** Resolves when the user quits. */
export async function watchQuestions<Q extends Question>(options: QuestionWatch<Q>): Promise<void> {
  const stopWatching = options.store.watch();
  const { stdin, stdout } = process;
  emitKeypressEvents(stdin);
  stdin.setRawMode(true);
  stdin.resume();
  stdout.write(ALTERNATE + HIDE);
  const list = new QuestionScreen(options);
  try {
    await new Promise<void>((resolve) => {
      const timer = setInterval(() => list.look(), LOOK_MS);
      stdout.on('resize', () => list.draw());
      stdin.on('end', resolve);
      for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.once(signal, resolve);
      stdin.on('keypress', (_text: string | undefined, key: Key) => {
        if (list.press(key) !== 'quit') return;
        clearInterval(timer);
        resolve();
      });
      list.look();
      list.draw();
    });
  } finally {
    stopWatching();
    stdin.setRawMode(false);
    stdin.pause();
    stdout.write(SHOW + NORMAL);
  }
}

/** What is on the screen. Holds no terminal, only writes to it. */
class QuestionScreen<Q extends Question> {
  readonly #options: QuestionWatch<Q>;
  #questions: readonly Q[] = [];
  /** By its hash, because questions come and go above and below it. */
  #chosen = '';
  #message = '';
  /** The question on the screen, and since when: a key that was meant for another one does not answer it. */
  #shown = { hash: '', sinceMs: 0 };
  /** The first line of the details on the screen, and how many fit. */
  #from = 0;
  #rows = 0;
  /** The note being typed, or undefined. */
  #note: string | undefined;

  constructor(options: QuestionWatch<Q>) {
    this.#options = options;
  }

  look(): void {
    const before = this.#questions;
    this.#questions = this.#options.store.list();
    const known = new Set(before.map(({ hash }) => hash));
    if (this.#questions.some(({ hash }) => !known.has(hash))) process.stdout.write(BELL);
    this.draw();
  }

  press({ name, ctrl, sequence }: Key): 'quit' | undefined {
    if (ctrl === true && (name === 'c' || name === 'd')) return 'quit';
    if (this.#note !== undefined) {
      this.#type(name, sequence);
      return undefined;
    }
    if (name === 'q') return 'quit';
    if (name === 'down' || name === 'j') this.#move(1);
    else if (name === 'up' || name === 'k') this.#move(-1);
    else if (name === 'space' || name === 'pagedown') this.#from += this.#rows - 1;
    else if (name === 'b' || name === 'pageup') this.#from -= this.#rows - 1;
    else if (name === 'a' || name === 'y') this.#answer('once');
    else if (name === 's') this.#answer('session');
    else if (name === 'r') this.#answer('refuse');
    else if (name === 'n' && this.#question !== undefined) this.#note = '';
    this.draw();
    return undefined;
  }

  draw(): void {
    const hash = this.#question?.hash ?? '';
    if (hash !== this.#shown.hash) this.#shown = { hash, sinceMs: performance.now() };
    const screen = this.#options.screen();
    const { columns, rows } = process.stdout;
    const width = Math.min(screen.width, columns || screen.width);
    const { head, details, foot } = this.#lines({ ...screen, width });
    this.#rows = Math.max(3, (rows || 24) - 1 - head.length - foot.length);
    this.#from = Math.max(0, Math.min(this.#from, details.length - this.#rows + 1));
    const text = [...head, ...windowOf(details, this.#from, this.#rows, screen), ...foot]
      .map((line) => `${line}${CLEAR_LINE}`)
      .join('\r\n');
    process.stdout.write(`${HOME}${text}${CLEAR_BELOW}`);
  }

  get #question(): Q | undefined {
    return this.#questions.find(({ hash }) => hash === this.#chosen) ?? this.#questions[0];
  }
  #move(by: 1 | -1): void {
    const at = this.#questions.findIndex(({ hash }) => hash === this.#question?.hash);
    this.#chosen = this.#questions.at(Math.max(0, Math.min(this.#questions.length - 1, at + by)))?.hash ?? '';
    this.#message = '';
    this.#from = 0;
  }
  #type(name: string | undefined, sequence = ''): void {
    const note = this.#note ?? '';
    if (name === 'escape') this.#note = undefined;
    else if (name === 'return') {
      this.#note = undefined;
      this.#answer('refuse', note);
    } else if (name === 'backspace') this.#note = note.slice(0, -1);
    else this.#note = note + safe(sequence).slice(0, 1000);
    this.draw();
  }
  #answer(kind: AnswerKind, note?: string): void {
    const question = this.#question;
    if (question !== undefined) void this.#send(question, kind, note);
  }
  /** Never rejects. */
  async #send(question: Q, kind: AnswerKind, note?: string): Promise<void> {
    if (performance.now() - this.#shown.sinceMs < READ_MS) {
      this.#message = `${questionId(question)}: appeared just now; read it and press the key again`;
      return;
    }
    try {
      const pending = this.#options.answer(question, kind, note);
      if (typeof pending !== 'string') this.#message = `${questionId(question)}: sending the answer`;
      const result = typeof pending === 'string' ? pending : await pending;
      const what = { once: 'approved once', session: 'approved for this session', refuse: 'refused' }[kind];
      this.#message = `${questionId(question)}: ${result === 'answered' ? what : result.replaceAll('-', ' ')}`;
    } catch (error) {
      this.#message = `${questionId(question)}: not answered: ${safe((error as Error).message)}`;
    }
    this.#questions = this.#options.store.list();
    this.draw();
  }

  #lines(screen: Screen): ScreenLines {
    const { paint } = screen;
    const chosen = this.#question;
    const keys =
      this.#note === undefined
        ? keysFor(screen.width)
        : `note for the model: ${this.#note}▏  (enter sends, esc cancels)`;
    return {
      head: [
        paint('bold', `anyhook approvals: ${this.#questions.length} open`),
        '',
        ...(chosen === undefined
          ? ['Questions of your hooks appear here when an agent waits for your answer.']
          : [...this.#list(chosen, screen), '']),
      ],
      details: chosen === undefined ? [] : questionLines(chosen, screen),
      foot: ['', ...(this.#message === '' ? [] : [this.#message]), paint('dim', keys)],
    };
  }

  /** The chosen question with its neighbours. */
  #list(chosen: Q, screen: Screen): string[] {
    const narrower = { ...screen, width: screen.width - 2 };
    const at = this.#questions.indexOf(chosen);
    const from = Math.max(
      0,
      Math.min(at - Math.floor(MOST_LISTED / 2), this.#questions.length - MOST_LISTED),
    );
    const shown = this.#questions.slice(from, from + MOST_LISTED);
    const others = this.#questions.length - shown.length;
    return [
      ...shown.map((question) =>
        question === chosen
          ? screen.paint('cyan', `› ${questionLine(question, narrower)}`)
          : `  ${questionLine(question, narrower)}`,
      ),
      ...(others > 0 ? [screen.paint('dim', `  and ${others} more`)] : []),
    ];
  }
}

const MOST_LISTED = 6;
/** Nobody reads a question in less time. */
const READ_MS = 500;

interface ScreenLines {
  readonly head: readonly string[];
  /** Everything about the chosen question. May be longer than the screen. */
  readonly details: readonly string[];
  /** Stays visible, whatever the length of the call. */
  readonly foot: readonly string[];
}

/** The part of the details that fits, and how much more there is. */
function windowOf(
  details: readonly string[],
  from: number,
  rows: number,
  { paint }: Screen,
): readonly string[] {
  if (details.length <= rows) return details;
  const shown = details.slice(from, from + Math.max(1, rows - 1));
  const [above, below] = [from, details.length - from - shown.length];
  return [...shown, paint('dim', `${above} lines above, ${below} below: space and b scroll`)];
}

const keysFor = (width: number): string =>
  width >= 92
    ? 'a approve once   s for this session   r refuse   n refuse with a note   ↑↓ choose   q quit'
    : 'a once  s session  r refuse  n note  ↑↓ choose  q quit';
