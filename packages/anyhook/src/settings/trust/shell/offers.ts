/** Shows what the words of a command name, and puts another path in their place where the visitor gives one. */
import { doubtsIn } from '../refs/doubts.ts';
import { javascriptRefs, specifiersIn } from '../refs/javascript.ts';
import type { ReadAs } from '../refs/language.ts';
import { pythonFiles, pythonRefs } from '../refs/python.ts';
import { moduleCode, withHead, withSearchPath } from './inline.ts';
import { rolesOf } from './roles.ts';
import { settingRole } from './settings.ts';
import { under, type Value } from './value.ts';
import type { WordRole } from './word-role.ts';

/** A word that may name a file. */
export interface FoundWord {
  /** `maybe`: one of the files that an import could mean. `folder`: it is searched for code. */
  readonly role: 'run' | 'source' | 'maybe' | 'folder' | 'read' | 'named';
  /** Absolute, not yet resolved. */
  readonly path: string;
  /** Made from the script's own place: in the copy it leads to the copied neighbour by itself. */
  readonly self: boolean;
  /** It cannot be replaced where it stands, so it is read where it is. */
  readonly stays: boolean;
  /** As it is written. */
  readonly word: string;
  /** What reads the file. */
  readonly language?: ReadAs;
}

export interface Visitor {
  /** Gives the path to put in place of a word, or nothing to leave it as it is. */
  readonly word: (found: FoundWord) => string | undefined;
  /** Python code of a command line looks for modules there. */
  readonly searched?: (here: string) => void;
  /** Where Python code of a command line shall find its modules instead of in the working folder. */
  readonly pythonPath?: (here: string) => readonly string[];
  /** Does the path lie in the project? */
  readonly isInProject?: (path: string) => boolean;
  /** Shows code of a command line. */
  readonly inline?: (code: string, language: ReadAs, word: string) => void;
  /** Stands before JavaScript of a command line. */
  readonly javascriptHead?: string;
}

/** One word as it stands, and a way to put another one there. */
export interface Spot {
  readonly text: string;
  readonly value: Value | undefined;
  /** Absent where nothing can be put in its place. */
  readonly replace?: (by: string) => void;
  /** Puts plain letters in front of what only run time completes. */
  readonly prepend?: (head: string) => void;
}

export class Offers {
  readonly doubts: string[] = [];
  readonly programs: string[] = [];
  private readonly visitor: Visitor;
  private readonly script: (spot: Spot, here: Value | undefined) => void;

  /** `script` reads shell text that stands in a word. */
  constructor(visitor: Visitor, script: Offers['script']) {
    [this.visitor, this.script] = [visitor, script];
  }

  take(spot: Spot, role: WordRole, here: Value | undefined, isName: boolean): void {
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

  /** A file of code that a word names; what it may mean without its ending is for the visitor to find. */
  file(spot: Spot, role: FoundWord['role'], language: ReadAs | undefined, here: Value | undefined): void {
    const { value, text: word, replace } = spot;
    if (value === undefined) return;
    const isCode = role === 'run' || role === 'source';
    const path = under(here, value);
    if (path === undefined) {
      if (isCode) this.doubts.push(`${word} is only known when it runs: the folder is not known`);
      return;
    }
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

  /** Code of another language, as a word or as the text of a here-document. */
  code(spot: Spot, language: ReadAs, here: Value | undefined): void {
    const text = spot.value?.text ?? '';
    this.visitor.inline?.(text, language, spot.text);
    if (language === 'shell') return this.script(spot, here);
    if (language === 'javascript') return this.javascript(spot, text, here);
    if (language === 'python') return this.python(spot, text, here);
    for (const doubt of doubtsIn(text, language === 'exec' ? 'other' : language))
      this.doubts.push(`${brief(spot.text)}: ${doubt}`);
  }

  /** `python3 -m name`: found in the working folder before anywhere else, so it is run by code that looks elsewhere. */
  module(option: Spot, name: Spot, from: number, here: Value | undefined): void {
    const module = name.value?.text.slice(from);
    if (module === undefined || here === undefined)
      return void this.doubts.push(`${name.text} is only known when it runs`);
    if (!/^[\w.]+$/.test(module)) return;
    const parts = module.split('.');
    this.modules(
      parts.map((_, i) => parts.slice(0, i + 1).join('/')),
      here,
      name.text,
    );
    const path = this.visitor.pythonPath?.(here.text);
    const isOne = option === name;
    if (path === undefined) return;
    const code = moduleCode(module, path);
    const letters = isOne ? (name.value?.text ?? '').slice(0, from) : (option.value?.text ?? '');
    const asCode = letters.replace(/m$/, 'c');
    if (isOne) name.replace?.(`${asCode}${code}`);
    else {
      option.replace?.(asCode);
      name.replace?.(code);
    }
  }

  setting(spot: Spot, here: Value | undefined): void {
    const text = spot.value?.text ?? '';
    const name = /^\w+/.exec(text)?.[0] ?? '';
    this.assigned(name, behind(spot, text.indexOf('=') + 1), here);
  }

  assigned(name: string, spot: Spot, here: Value | undefined): void {
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
      this.list(spot, role.between, (one) => this.file(one, 'run', role.language, here));
    else if (/[/.]/.test(value.text) && value.text.split(':').some((one) => this.isNear(one)))
      this.doubts.push(`${name}=${brief(value.text)} may lead to code that is not bound`);
  }

  private isNear(path: string): boolean {
    return !path.startsWith('/') || this.visitor.isInProject?.(path) === true;
  }

  private folders(spot: Spot, here: Value | undefined): void {
    this.list(spot, /:/, (one) => this.file(one, 'folder', undefined, here));
  }

  private options(spot: Spot, program: string, here: Value | undefined): void {
    const words = (spot.value?.text ?? '').split(/\s+/).filter(Boolean);
    const { roles, doubts } = rolesOf([program, ...words]);
    this.doubts.push(...doubts);
    const done = [...words];
    words.forEach((text, i) => {
      const role = roles[i + 1] ?? { as: 'named' };
      const replace = spot.replace && { replace: (by: string) => void (done[i] = by) };
      this.take({ text: spot.text, value: { text, self: false }, ...replace }, role, here, false);
    });
    if (done.some((word, i) => word !== words[i])) spot.replace?.(done.join(' '));
  }

  private list(spot: Spot, between: RegExp, each: (one: Spot) => void): void {
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

  private javascript(spot: Spot, text: string, here: Value | undefined): void {
    const { near, asksPackage, doubts } = javascriptRefs(text);
    for (const doubt of doubts) this.doubts.push(`${brief(spot.text)}: ${doubt}`);
    if (asksPackage) this.doubts.push(`${brief(spot.text)}: it asks for what package.json says`);
    if (here === undefined && near.length > 0)
      return void this.doubts.push(`${brief(spot.text)}: the folder it runs in is only known when it runs`);
    let [out, at] = ['', 0];
    for (const { specifier, pos, end } of specifiersIn(text)) {
      if (!/^\.\.?(?:\/|$)/.test(specifier)) continue;
      out += text.slice(at, pos);
      at = pos;
      const replace = spot.replace && {
        replace: (by: string) => {
          out += JSON.stringify(by);
          at = end;
        },
      };
      this.file(
        { text: specifier, value: { text: specifier, self: false }, ...replace },
        'run',
        'javascript',
        here,
      );
    }
    out = withHead(out + text.slice(at), this.visitor.javascriptHead);
    if (out !== text) spot.replace?.(out);
  }

  private python(spot: Spot, text: string, here: Value | undefined): void {
    for (const doubt of doubtsIn(text, 'python')) this.doubts.push(`${brief(spot.text)}: ${doubt}`);
    if (here === undefined)
      return void this.doubts.push(`${brief(spot.text)}: the folder it runs in is only known when it runs`);
    const { searched, own, files } = pythonRefs(text);
    this.modules([...searched, ...own], here, spot.text);
    for (const file of files)
      this.visitor.word({ ...FILE, role: 'read', path: `${here.text}/${file}`, word: spot.text });
    const done = withSearchPath(text, this.visitor.pythonPath?.(here.text) ?? []);
    if (done === undefined || spot.replace === undefined)
      this.doubts.push(`${brief(spot.text)}: it finds modules in the working folder`);
    else if (this.visitor.pythonPath !== undefined) spot.replace(done);
  }

  private modules(modules: readonly string[], here: Value, word: string): void {
    this.visitor.searched?.(here.text);
    for (const module of modules)
      for (const file of pythonFiles(module))
        this.visitor.word({ ...FILE, role: 'maybe', path: `${here.text}/${file}`, word, language: 'python' });
  }

  private unknownCode(spot: Spot, language: ReadAs | undefined, here: Value | undefined): void {
    const path = here === undefined ? undefined : this.visitor.pythonPath?.(here.text);
    const isFixed = /__future__/.test(spot.text);
    const head = isFixed ? undefined : headOf(spot.text, language, path, this.visitor.javascriptHead);
    if (head !== undefined && !/["$`\\]/.test(head) && spot.prepend !== undefined) spot.prepend(head);
    else this.visitor.inline?.(spot.text, 'other', spot.text);
  }

  private unknown(spot: Spot, role: WordRole, here: Value | undefined, isName: boolean): void {
    if (role.as === 'code') this.unknownCode(spot, role.language, here);
    const isCode = ['run', 'source', 'script', 'code', 'module', 'folders', 'setting'].includes(role.as);
    if (isName || isCode) this.doubts.push(`${spot.text} is only known when it runs`);
  }
}

/** Code with a part that only run time knows; the part before it is known enough to say where modules are. */
function headOf(
  text: string,
  language: ReadAs | undefined,
  path: readonly string[] | undefined,
  head: string | undefined,
): string | undefined {
  if (language === 'python' && path !== undefined) return withSearchPath('', path);
  return language === 'javascript' && !/^["']\s*["']/.test(text) ? head : undefined;
}

const FILE = { self: false, stays: false } as const;

const behind = (spot: Spot, from: number): Spot => {
  if (from === 0 || spot.value === undefined) return spot;
  const { text, self } = spot.value;
  const { replace } = spot;
  return {
    ...spot,
    value: { text: text.slice(from), self },
    ...(replace && { replace: (by: string) => replace(text.slice(0, from) + by) }),
  };
};

const brief = (text: string): string => {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 60 ? `${line.slice(0, 57)}…` : line;
};
