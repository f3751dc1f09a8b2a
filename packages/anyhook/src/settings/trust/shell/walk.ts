import { forEachChild, parse } from 'unbash';
import type {
  Assignment,
  Command,
  CommandArgument,
  ParsedScript,
  Redirection,
  SyntaxNode,
  Word,
} from 'unbash';
import { refuseTooMuch } from '../refs/limit.ts';
import { quote } from './quote.ts';
import { rolesOf, type WordRole } from './roles.ts';
import { surveyOf, type Survey } from './survey.ts';
import { fixed, under, wordValue, type ShellScope, type Value } from './value.ts';

/** A word that may name a file. */
export interface FoundWord {
  readonly role: Extract<WordRole, 'run' | 'source' | 'read' | 'named'>;
  /** Absolute, not yet resolved. */
  readonly path: string;
  /** Made from the script's own place: in the copy it leads to the copied neighbour by itself. */
  readonly self: boolean;
  /** It cannot be replaced where it stands, so it is read where it is. */
  readonly stays: boolean;
  /** As it is written. */
  readonly word: string;
}

export interface ShellFacts {
  readonly cwd: string;
  readonly vars: Readonly<Record<string, string>>;
  readonly top?: string;
  readonly zero?: string;
  readonly file?: string;
}

export interface ShellWalk {
  /** With the words replaced that `visit` gave another path for. */
  readonly text: string;
  /** Why it could not be parsed whole. */
  readonly error?: string;
  /** Code that is only known when it runs. */
  readonly loose: readonly string[];
}

/** Gives the path to put in place of a word that is run, or nothing to leave it as it is. */
export type Visit = (found: FoundWord) => string | undefined;

const MAX_NESTING = 8;

/** Shows every word of a shell text that may name a file, with what it is used for. A `RangeError` is too much text. */
export function walkShell(text: string, facts: ShellFacts, visit: Visit, nesting = 0): ShellWalk {
  refuseTooMuch(text);
  const script = parse(text);
  const walk = new Walk(text, script, facts, visit, nesting);
  const { cwd, vars, ...rest } = facts;
  const scope: ShellScope = {
    ...rest,
    here: fixed(cwd),
    vars: new Map(Object.entries(vars).map(([k, v]) => [k, fixed(v)])),
  };
  walk.visitNode(script, scope, 'surely');
  const error = walk.error;
  return {
    text: error === undefined ? walk.rewritten() : text,
    ...(error === undefined ? {} : { error }),
    loose: walk.loose,
  };
}

type Chance = 'surely' | 'maybe';
interface Edit {
  readonly pos: number;
  readonly end: number;
  readonly by: string;
}

/** One pass over one text; a class because the pass gathers edits, faults and doubts as it goes. */
class Walk {
  readonly loose: string[] = [];
  readonly error: string | undefined;
  private readonly edits: Edit[] = [];
  private nestedIn = 0;
  /** Inside a text whose places are not places of ours. */
  private foreign = 0;
  private readonly survey: Survey;
  private readonly source: string;
  private readonly facts: ShellFacts;
  private readonly visit: Visit;
  private readonly nesting: number;

  constructor(source: string, script: ParsedScript, facts: ShellFacts, visit: Visit, nesting: number) {
    [this.source, this.facts, this.visit, this.nesting] = [source, facts, visit, nesting];
    this.survey = surveyOf(script);
    this.error = this.survey.error;
  }

  rewritten(): string {
    let [out, at] = ['', 0];
    for (const edit of this.edits.toSorted((a, b) => a.pos - b.pos)) {
      if (edit.pos < at) continue;
      out += this.source.slice(at, edit.pos) + edit.by;
      at = edit.end;
    }
    return out + this.source.slice(at);
  }

  visitNode(node: SyntaxNode, scope: ShellScope, chance: Chance): void {
    switch (node.type) {
      case 'Command':
        return this.visitCommand(node, scope, chance);
      case 'AndOr':
        return this.visitChain(node.commands, scope, chance);
      case 'Script':
      case 'Subshell':
      case 'Pipeline':
      case 'Coproc':
        return this.visitApart(node, scope, chance);
      case 'If':
      case 'While':
      case 'For':
      case 'ArithmeticFor':
      case 'Select':
      case 'Case':
      case 'Function':
        return this.visitMaybe(node, scope);
      case 'Redirect':
        if (node.target !== undefined) this.visitRedirect(node, scope);
        return;
      case 'TestBinary':
        // A comparison looks at the letters, not at a file.
        return forEachChild(node, (child) => this.visitInner(child, scope));
      case 'TestUnary':
        return this.word(node.operand, 'named', scope);
      case 'Word':
        return this.word(node, 'read', scope);
      default:
        forEachChild(node, (child) => this.visitNode(child, scope, chance));
    }
  }

  /** The main text runs here; every other script, and every part of a pipeline, in a process of its own. */
  private visitApart(node: SyntaxNode, scope: ShellScope, chance: Chance): void {
    const isMain = node.type === 'Script' && this.nestedIn === 0;
    const isOwnText = node.type === 'Script' && node.source !== undefined;
    this.nestedIn++;
    if (isOwnText) this.foreign++;
    const inner = isMain ? scope : apart(scope);
    for (const child of childrenOf(node))
      this.visitNode(child, node.type === 'Pipeline' ? apart(scope) : inner, chance);
    if (isOwnText) this.foreign--;
    this.nestedIn--;
  }

  private visitChain(commands: readonly SyntaxNode[], scope: ShellScope, chance: Chance): void {
    const first = commands[0];
    const before = scope.here;
    if (first !== undefined) this.visitNode(first, scope, chance);
    const moved = scope.here;
    for (const command of commands.slice(1))
      this.visitNode(command, scope, first?.type === 'Command' && moved !== before ? chance : 'maybe');
    if (moved === before && scope.here !== before) scope.here = undefined;
  }

  private visitMaybe(node: SyntaxNode, scope: ShellScope): void {
    const inner = apart(scope);
    for (const child of childrenOf(node)) {
      if (node.type === 'Case' && child.type === 'CaseItem') this.visitNode(child.body, inner, 'maybe');
      else if (
        (node.type === 'For' || node.type === 'Select' || node.type === 'Function') &&
        child === node.name
      )
        continue;
      else this.visitNode(child, inner, 'maybe');
    }
    if (inner.here !== scope.here && node.type !== 'Function') scope.here = undefined;
    for (const [name, value] of scope.vars) if (inner.vars.get(name) !== value) scope.vars.delete(name);
  }

  private visitCommand(node: Command, scope: ShellScope, chance: Chance): void {
    for (const part of node.prefix) {
      if (part.type === 'Assignment')
        this.visitAssignment(part, scope, node.name === undefined ? chance : 'maybe');
      else this.visitNode(part, scope, chance);
    }
    const words: CommandArgument[] = node.name === undefined ? [] : [node.name, ...node.args];
    const values = words.map((w) => (w.type === 'Word' ? wordValue(w, scope) : undefined));
    const roles = rolesOf(
      values.map((v, i) => v?.text ?? (words[i]?.type === 'Assignment' ? words[i].text : undefined)),
    );
    words.forEach((word, i) => {
      const role = roles[i] ?? 'read';
      if (word.type === 'Assignment') this.visitAssignment(word, scope, chance);
      else
        this.word(
          word,
          this.survey.isRenamed && (role === 'named' || role === 'written') ? 'read' : role,
          scope,
          i === 0,
        );
    });
    for (const part of node.suffix) if (isRedirection(part)) this.visitNode(part, scope, chance);
    if (node.name?.value === 'cd' || node.name?.value === 'pushd') moveTo(scope, values);
  }

  private visitAssignment(node: Assignment, scope: ShellScope, chance: Chance): void {
    const { name, value } = node;
    if (value.type === 'ArrayValue') return this.visitNode(value, scope, chance);
    this.word(value, name === 'BASH_ENV' || name === 'ENV' ? 'run' : 'read', scope);
    const known =
      chance === 'surely' && !node.append && this.survey.assigned.get(name) === 1
        ? wordValue(value, scope)
        : undefined;
    if (known === undefined) scope.vars.delete(name);
    else scope.vars.set(name, known);
  }

  private visitRedirect(node: Redirection & { type: 'Redirect' }, scope: ShellScope): void {
    if (node.target === undefined) return;
    if (node.operator === '<') this.word(node.target, 'run', scope);
    else this.visitInner(node.target, scope);
  }

  /** What stands inside a word runs too: substitutions, whatever the word itself is for. */
  private visitInner(node: SyntaxNode, scope: ShellScope): void {
    for (const child of childrenOf(node)) {
      if (child.type === 'Script') this.visitNode(child, scope, 'maybe');
      else this.visitInner(child, scope);
    }
  }

  private word(word: Word, role: WordRole, scope: ShellScope, isName = false): void {
    this.visitInner(word, scope);
    const value = wordValue(word, scope);
    if (value === undefined) return this.doubt(word, role, isName);
    if (role === 'script') return this.nested(word, value, scope);
    if (role === 'program' || role === 'option' || role === 'written') return;
    this.offer(word, value, role, scope);
  }

  private offer(word: Word, value: Value, role: FoundWord['role'], scope: ShellScope): void {
    const option = /^(--?[\w-]+=)(.+)$/s.exec(value.text);
    const spelled: Value = { text: option?.[2] ?? value.text, self: value.self };
    if (spelled.text === '' || spelled.text.includes('\0')) return;
    const path = under(scope.here, spelled);
    if (path === undefined) {
      // The folder is not known: take what the words would mean at the start, and leave the word alone.
      this.doubt(word, role, false);
      this.visit({
        role: 'read',
        path: `${this.facts.cwd}/${spelled.text}`,
        self: false,
        stays: true,
        word: word.text,
      });
      return;
    }
    const stays = !path.self && (this.foreign > 0 || this.error !== undefined);
    const by = this.visit({ role, path: path.text, self: path.self, stays, word: word.text });
    if (by === undefined || stays || path.self) return;
    this.edits.push({ pos: word.pos, end: word.end, by: quote(`${option?.[1] ?? ''}${by}`) });
  }

  private nested(word: Word, value: Value, scope: ShellScope): void {
    if (this.nesting >= MAX_NESTING) return void this.loose.push(word.text);
    const cwd = scope.here?.text ?? this.facts.cwd;
    const vars = Object.fromEntries([...scope.vars].map(([name, v]) => [name, v.text]));
    // Its `$0` is not ours.
    const { top } = this.facts;
    const facts: ShellFacts = { cwd, vars, ...(top === undefined ? {} : { top }) };
    const walked = walkShell(value.text, facts, this.visit, this.nesting + 1);
    if (walked.error !== undefined) this.loose.push(`${word.text} (${walked.error})`);
    this.loose.push(...walked.loose);
    if (walked.text !== value.text && this.foreign === 0)
      this.edits.push({ pos: word.pos, end: word.end, by: quote(walked.text) });
  }

  private doubt(word: Word, role: WordRole, isName: boolean): void {
    if (isName || role === 'run' || role === 'source' || role === 'script') this.loose.push(word.text);
  }
}

const apart = (scope: ShellScope): ShellScope => ({ ...scope, vars: new Map(scope.vars) });

function moveTo(scope: ShellScope, values: readonly (Value | undefined)[]): void {
  const [target, more] = values.slice(1).filter((v) => v === undefined || !/^-[LPe-]$/.test(v.text));
  const home = scope.vars.get('HOME');
  const to = values.length === 1 ? home : target?.text === '-' ? undefined : target;
  scope.here = to === undefined || more !== undefined ? undefined : under(scope.here, to);
}

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  forEachChild(node, (child) => void children.push(child));
  return children;
}

const isRedirection = (part: CommandArgument | Redirection): part is Redirection =>
  part.type === 'Redirect' || part.type === 'HereDoc' || part.type === 'HereString';
