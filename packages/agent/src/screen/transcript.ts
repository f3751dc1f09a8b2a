/** The transcript of the session. Shows every happening in its place. */

import type { OfferedRenderer } from 'anyhook';
import { safe } from 'anyhook/views';
import type { Happening } from '../front/happening.ts';
import { DrawnMessage } from './drawn.ts';
import { markdownLooks } from './looks.ts';
import { type Component, Container, Markdown, Spacer, Text } from './packed-pi-tui.ts';
import type { Theme } from './theme.ts';
import { ToolCard } from './tool-card.ts';

export interface TranscriptTerms {
  readonly theme: Theme;
  readonly rendererOf: (type: string) => OfferedRenderer | undefined;
  readonly redraw: () => void;
}

export class Transcript extends Container {
  readonly #terms: TranscriptTerms;
  readonly #cards = new Map<string, ToolCard>();
  readonly #drawn: DrawnMessage[] = [];
  #streaming: { readonly markdown: Markdown; text: string } | undefined;
  #thinking: { readonly view: Text; text: string } | undefined;
  #isExpanded = false;

  constructor(terms: TranscriptTerms) {
    super();
    this.#terms = terms;
  }

  hear(happening: Happening): void {
    const show = this.#shows[happening.kind] as ((happening: Happening) => void) | undefined; // Each method is keyed by the kind of its happening.
    show?.(happening);
  }

  /** Switches between all and the first lines of tool output. */
  toggle(): void {
    this.#isExpanded = !this.#isExpanded;
    for (const card of this.#cards.values()) card.expand(this.#isExpanded);
    for (const drawn of this.#drawn) drawn.expand(this.#isExpanded);
  }

  line(text: string, colour = 'muted'): void {
    this.#settle();
    this.addChild(new Text(this.#terms.theme.fg(colour, safe(text)), 1, 0));
  }

  readonly #shows: { readonly [K in Happening['kind']]?: (h: Extract<Happening, { kind: K }>) => void } = {
    prompt: ({ text }) => {
      this.#settle();
      const { theme } = this.#terms;
      this.addChild(new Text(safe(text), 1, 1, (line) => theme.bg('userMessageBg', line)));
      this.addChild(new Spacer(1));
    },
    text: ({ delta }) => {
      this.#thinking = undefined;
      this.#streaming ??= this.#begin();
      this.#streaming.text += delta;
      this.#streaming.markdown.setText(safe(this.#streaming.text));
    },
    said: ({ text }) => {
      // Hooks may have changed the streamed text. Show the final text.
      this.#streaming ??= this.#begin();
      this.#streaming.markdown.setText(safe(text));
      this.#settle();
    },
    thinking: ({ delta }) => {
      const { theme } = this.#terms;
      if (this.#thinking === undefined) {
        this.#thinking = { view: new Text('', 1, 0), text: '' };
        this.addChild(this.#thinking.view);
      }
      this.#thinking.text += delta;
      this.#thinking.view.setText(theme.italic(theme.fg('thinkingText', safe(this.#thinking.text))));
    },
    tool: (started) => {
      this.#settle();
      const card = new ToolCard(started, this.#terms.theme);
      card.expand(this.#isExpanded);
      this.#cards.set(started.call, card);
      this.addChild(card);
    },
    'tool-progress': ({ call, text }) => this.#cards.get(call)?.progress(text),
    'tool-ended': (ended) => this.#cards.get(ended.call)?.end(ended),
    'tool-preview': ({ call, diff }) => this.#cards.get(call)?.preview(diff),
    'hook-ended': ({ name, on, decided, call, isSecondRound }) => {
      if (decided === '') return;
      const line = `${name} (${on}${isSecondRound === true ? ', asked again' : ''}): ${decided}`;
      const card = call === undefined ? undefined : this.#cards.get(call);
      if (card === undefined) this.line(`↳ ${line}`, 'dim');
      else card.hook(line);
    },
    notice: ({ text, level }) =>
      this.line(level === 'info' ? text : `${level}: ${text}`, level === 'info' ? 'accent' : level),
    custom: ({ type, message }) => this.#draw(type, message),
    subagent: ({ agent, type, state }) =>
      this.line(`${state === 'started' ? '▸' : '◂'} ${type} ${agent} ${state}`),
    compacting: ({ trigger }) => this.line(`compacting (${trigger}) …`, 'warning'),
    compacted: ({ before, after }) => this.line(`compacted: ${before} → ${after} messages`, 'success'),
    retrying: ({ attempt, inMs, why }) =>
      this.line(`${why}: trying again in ${Math.ceil(inMs / 1000)} s (attempt ${attempt})`, 'warning'),
    stopped: ({ why, detail }) => {
      this.#settle();
      if (why !== 'done')
        this.line(detail === undefined ? STOPPED[why] : `${STOPPED[why]}: ${detail}`, 'error');
    },
  };

  #begin() {
    const streaming = { markdown: new Markdown('', 1, 0, markdownLooks(this.#terms.theme)), text: '' };
    this.addChild(streaming.markdown);
    this.addChild(new Spacer(1));
    return streaming;
  }
  #settle(): void {
    this.#streaming = undefined;
    this.#thinking = undefined;
  }
  #draw(type: string, message: Readonly<Record<string, unknown>>): void {
    this.#settle();
    if (message['display'] === false) return;
    const drawn = new DrawnMessage(message, this.#terms.rendererOf(type), this.#terms);
    drawn.expand(this.#isExpanded);
    this.#drawn.push(drawn);
    this.addChild(drawn satisfies Component);
  }
}

const STOPPED = {
  aborted: 'stopped by you',
  'max-turns': 'stopped: reached the maximum number of turns',
  halted: 'stopped by a hook',
  error: 'stopped',
} as const;
