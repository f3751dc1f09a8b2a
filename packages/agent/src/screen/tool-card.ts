/** A card for one tool call: the call, its progress and its result. */

import { safe } from 'anyhook/views';
import type { Happening } from '../front/happening.ts';
import { gist } from './gist.ts';
import { type Component, truncateToWidth, wrapTextWithAnsi } from './packed-pi-tui.ts';
import { BEFORE_HUNKS } from './patch-head.ts';
import type { Theme } from './theme.ts';

type ToolStarted = Extract<Happening, { kind: 'tool' }>;
type ToolEnded = Extract<Happening, { kind: 'tool-ended' }>;

/** Number of output lines before the user expands the card. */
const FEW = 6;
/** Number of diff lines after the change. Before the question, up to MOST_ASKED_ABOUT lines. */
const FEW_CHANGED = 24;
const MOST_ASKED_ABOUT = 400;
/** Maximum number of characters of running output to keep. */
const LAST_SAID = 4000;

export class ToolCard implements Component {
  readonly #theme: Theme;
  readonly #started: ToolStarted;
  #progress = '';
  #ended: ToolEnded | undefined;
  #isExpanded = false;
  #preview: string | undefined;
  readonly #hooks: string[] = [];

  constructor(started: ToolStarted, theme: Theme) {
    this.#started = started;
    this.#theme = theme;
  }
  progress(text: string): void {
    this.#progress = (this.#progress + text).slice(-LAST_SAID);
  }
  preview(diff: string): void {
    this.#preview = diff;
  }
  /** Adds a line about the decision of a hook. */
  hook(line: string): void {
    this.#hooks.push(line);
  }
  end(ended: ToolEnded): void {
    this.#ended = ended;
  }
  expand(isExpanded: boolean): void {
    this.#isExpanded = isExpanded;
  }
  invalidate(): void {}

  render(width: number): string[] {
    const inner = Math.max(1, width - 4);
    return [
      truncateToWidth(` ${this.#mark()} ${this.#title()}`, width),
      ...[...this.#hookLines(), ...this.#notes()].flatMap((note) =>
        wrapTextWithAnsi(note, inner).map((line) => truncateToWidth(`   ${line}`, width)),
      ),
      ...this.#diff(inner).map((line) => truncateToWidth(`   ${line}`, width)),
      ...this.#output(inner).map((line) =>
        truncateToWidth(`   ${this.#theme.fg('toolOutput', line)}`, width),
      ),
      '',
    ];
  }

  #mark(): string {
    if (this.#ended === undefined) return this.#theme.fg('warning', '●');
    if (this.#ended.refused !== undefined) return this.#theme.fg('error', '⊘');
    return this.#ended.isError ? this.#theme.fg('error', '✗') : this.#theme.fg('success', '✓');
  }
  #title(): string {
    const { tool, input } = this.#started;
    const shown = this.#ended?.title ?? gist(this.#ended?.input ?? input);
    return `${this.#theme.bold(this.#theme.fg('toolTitle', safe(tool)))} ${oneLine(shown)}`;
  }
  #hookLines(): string[] {
    const refused = this.#ended?.refused ?? '';
    return this.#hooks.map((line) => {
      // The reason of the refusal appears once, below.
      const short = refused === '' ? line : line.replace(`: ${refused}`, '');
      return this.#theme.fg('dim', `↳ ${oneLine(short)}`);
    });
  }
  /** Wraps wide lines, because the user cannot judge text that is cut off. */
  #diff(width: number): string[] {
    const { refused, isError, diff } = this.#ended ?? {};
    const text = this.#ended === undefined ? this.#preview : isError ? undefined : diff;
    if (text === undefined || refused !== undefined) return [];
    const lines = safe(text)
      .replace(BEFORE_HUNKS, '')
      .trimEnd()
      .split('\n')
      .flatMap((line) =>
        wrapTextWithAnsi(line.replaceAll('\t', '  '), width).map((part) => this.#painted(line, part)),
      );
    const most = this.#ended === undefined ? MOST_ASKED_ABOUT : this.#isExpanded ? Infinity : FEW_CHANGED;
    if (lines.length <= most) return lines;
    const more = `… ${lines.length - most + 1} more lines${this.#ended === undefined ? '' : ' (ctrl+o shows all)'}`;
    return [...lines.slice(0, most - 1), this.#theme.fg('dim', more)];
  }
  #painted(line: string, part: string): string {
    const colour = { '+': 'toolDiffAdded', '-': 'toolDiffRemoved', '@': 'dim' }[line[0] ?? ''];
    return this.#theme.fg(colour ?? 'toolDiffContext', part);
  }
  #notes(): string[] {
    const { refused, changed = [] } = this.#ended ?? {};
    const asked =
      this.#ended?.input === undefined ? '' : `; asked for was: ${oneLine(gist(this.#started.input))}`;
    return [
      ...(refused === undefined ? [] : [this.#theme.fg('error', `refused: ${oneLine(refused)}`)]),
      ...(changed.length === 0
        ? []
        : [this.#theme.fg('accent', `changed by a hook: ${changed.map(oneLine).join(', ')}${asked}`)]),
    ];
  }
  #output(width: number): string[] {
    if (this.#ended?.refused !== undefined) return [];
    const text = safe(this.#ended?.output ?? this.#progress).trimEnd();
    if (text === '') return [];
    const lines = text.split('\n').flatMap((line) => wrapTextWithAnsi(line.replaceAll('\t', '  '), width));
    if (this.#isExpanded || lines.length <= FEW) return lines;
    return this.#ended === undefined
      ? lines.slice(-FEW) // The end of the output shows what the tool is doing.
      : [...lines.slice(0, FEW - 1), `… ${lines.length - FEW + 1} more lines (ctrl+o shows all)`];
  }
}

const oneLine = (text: string): string => safe(text).trim().replaceAll(/\s+/g, ' ');
