/** Reports the files that the words of a command name, and replaces a word if the visitor returns another path. */

import type { ReadLanguage } from '../references/language.ts';
import { briefCode, InlineCode } from './inline-code.ts';
import { rolesOf } from './roles.ts';
import { under, type Value } from './scope.ts';
import { settingRole } from './settings.ts';
import type { FoundWord, ShellWalk, WordSpot, Visitor } from './visitor.ts';
import type { WordRole } from './word-role.ts';

/** Walks over nested shell text that runs in a folder; undefined if it is nested too deep. */
type WalkNested = (text: string, cwd: string) => ShellWalk | undefined;

export class WordReporter {
  readonly doubts: string[] = [];
  readonly programs: string[] = [];
  readonly functions = new Set<string>();
  private readonly inline: InlineCode;
  private readonly visitor: Visitor;
  private readonly walkNested: WalkNested;

  constructor(visitor: Visitor, walkNested: WalkNested) {
    [this.visitor, this.walkNested] = [visitor, walkNested];
    this.inline = new InlineCode(visitor, this.doubts, (spot, here) =>
      this.file(spot, 'run', 'javascript', here),
    );
  }

  /** Reports one of the words of a command. */
  reportWord(spots: readonly WordSpot[], at: number, role: WordRole, here: Value | undefined): void {
    if (role.as === 'module') this.inline.module(spots[role.option ?? at]!, spots[at]!, role.from ?? 0, here);
    else this.report(spots[at]!, role, here, at === 0);
  }

  report(spot: WordSpot, role: WordRole, here: Value | undefined, isName: boolean): void {
    if (spot.value === undefined) return this.unknown(spot, role, here, isName);
    if (role.as === 'program' || role.as === 'option' || role.as === 'written') return;
    if (role.as === 'setting') return this.setting(spot, here);
    const whole = spot.value.text;
    const option = /^--?[\w-]+=(?=.)/s.exec(whole)?.[0].length ?? 0;
    const cut = behind(spot, role.from ?? (role.as === 'script' || role.as === 'code' ? 0 : option));
    if (cut.value === undefined || cut.value.text.includes('\0')) return;
    switch (role.as) {
      case 'script':
        return this.script(cut, here);
      case 'code':
        return this.code(cut, role.language ?? 'other', here);
      case 'folders':
        return this.folders(cut, here);
      case 'module':
        return; // two words change together: see `module`
      default:
        if (cut.value.text !== '') this.file(cut, role.as, role.language, here);
    }
  }

  /** Reports one file. The visitor tries the endings that the name may lack. */
  file(
    spot: WordSpot,
    role: FoundWord['role'],
    language: ReadLanguage | undefined,
    here: Value | undefined,
  ): void {
    const { value, text: word, replace } = spot;
    if (value === undefined) return;
    const isCode = role === 'run' || role === 'source';
    const path = under(here, value);
    if (path === undefined) {
      if (isCode) this.doubts.push(`${word} is only known when it runs: the folder is not known`);
      return;
    }
    if (isCode && /^\/(?:dev\/(?:stdin|fd|tty)|proc)\b/.test(path.text))
      return void this.doubts.push(`${word} is only known when it runs`);
    const stays = !path.self && replace === undefined;
    const by = this.visitor.word({
      role,
      path: path.text,
      self: path.self,
      stays,
      word,
      ...(language !== undefined && { language }),
    });
    if ((isCode || role === 'folder') && stays) this.doubts.push(`${word} is run from where it lies`);
    if (by !== undefined && !stays && !path.self) replace?.(by);
  }

  /** Code in a word or in a here-document. */
  code(spot: WordSpot, language: ReadLanguage, here: Value | undefined): void {
    if (language === 'shell') this.script(spot, here);
    else this.inline.code(spot, language, here);
  }

  /** Shell text in a word. Its `$0` is not the one of the outer text. */
  private script({ text, value, replace }: WordSpot, here: Value | undefined): void {
    const walked =
      value === undefined || here === undefined ? undefined : this.walkNested(value.text, here.text);
    if (walked === undefined) return void this.doubts.push(`${text} is only known when it runs`);
    if (walked.error !== undefined) this.doubts.push(`${text} cannot be parsed (${walked.error})`);
    this.doubts.push(...walked.doubts);
    this.programs.push(...walked.programs);
    for (const name of walked.functions) this.functions.add(name);
    if (walked.text !== value?.text) replace?.(walked.text);
  }

  setting(spot: WordSpot, here: Value | undefined): void {
    const text = spot.value?.text ?? '';
    const name = /^\w+/.exec(text)?.[0] ?? '';
    this.assigned(name, behind(spot, text.indexOf('=') + 1), here);
  }

  assigned(name: string, spot: WordSpot, here: Value | undefined): void {
    const role = settingRole(name);
    const { value } = spot;
    if (role === undefined) {
      if (value !== undefined && value.text !== '') this.file(spot, 'read', undefined, here);
      return;
    }
    if (value === undefined) return void this.doubts.push(`${name} is only known when it runs`);
    if (role.as === 'folders') this.folders(spot, here);
    else if (role.as === 'options') this.options(spot, role.of, here);
    else if (role.as === 'files')
      this.list(spot, role.between, (file) => this.file(file, 'run', role.language, here));
    else if (
      role.always === true ||
      (/[/.]/.test(value.text) && value.text.split(':').some((path) => this.isNear(path)))
    )
      this.doubts.push(`${name}=${briefCode(value.text)} may lead to code that is not bound`);
  }

  private isNear(path: string): boolean {
    return !path.startsWith('/') || this.visitor.isInProject?.(path) === true;
  }

  private folders(spot: WordSpot, here: Value | undefined): void {
    this.list(spot, /:/, (folder) => this.file(folder, 'folder', undefined, here));
  }

  private options(spot: WordSpot, program: string, here: Value | undefined): void {
    const words = (spot.value?.text ?? '').split(/\s+/).filter(Boolean);
    const { roles, doubts } = rolesOf([program, ...words]);
    this.doubts.push(...doubts);
    const done = [...words];
    words.forEach((text, i) => {
      const role = roles[i + 1] ?? { as: 'named' };
      const replace = spot.replace && { replace: (by: string) => void (done[i] = by) };
      this.report({ text: spot.text, value: { text, self: false }, ...replace }, role, here, false);
    });
    if (done.some((word, i) => word !== words[i])) spot.replace?.(done.join(' '));
  }

  private list(spot: WordSpot, between: RegExp, each: (part: WordSpot) => void): void {
    const text = spot.value?.text ?? '';
    const parts = text.split(between);
    const mark = between.exec(text)?.[0] ?? '';
    const done = [...parts];
    parts.forEach((part, i) => {
      const replace = spot.replace && { replace: (by: string) => void (done[i] = by) };
      each({
        text: spot.text,
        value: { text: part === '' ? '.' : part, self: spot.value?.self ?? false },
        ...replace,
      });
    });
    if (done.some((word, i) => word !== parts[i])) spot.replace?.(done.join(mark));
  }

  private unknown(spot: WordSpot, role: WordRole, here: Value | undefined, isName: boolean): void {
    if (role.as === 'code') this.inline.unknown(spot, role.language, here);
    const isCode = ['run', 'source', 'script', 'code', 'module', 'folders', 'setting'].includes(role.as);
    if (isName || isCode) this.doubts.push(`${spot.text} is only known when it runs`);
  }
}

const behind = (spot: WordSpot, from: number): WordSpot => {
  if (from === 0 || spot.value === undefined) return spot;
  const { text, self } = spot.value;
  const { replace } = spot;
  return {
    ...spot,
    value: { text: text.slice(from), self },
    ...(replace && { replace: (by: string) => replace(text.slice(0, from) + by) }),
  };
};
