import { forEachChild, parse } from 'unbash';
import type {
  Assignment,
  Command,
  CommandArgument,
  HereDoc,
  ParsedScript,
  Pipeline,
  SyntaxNode,
  Word,
} from 'unbash';
import type { ReadLanguage } from '../references/language.ts';
import { refuseTooMuch } from '../references/limit.ts';
import { type Edit, edited, spotOf } from './edits.ts';
import { WordReporter } from './report-words.ts';
import { rolesOf } from './roles.ts';
import {
  apart,
  childrenOf,
  movedTo,
  moveTo,
  type Pipe,
  surveyOf,
  type ShellSurvey,
  fixed,
  wordValue,
  type ShellScope,
} from './scope.ts';
import type { WordSpot, Visitor, ShellFacts, ShellWalk } from './visitor.ts';
import type { WordRole } from './word-role.ts';

const MAX_NESTING = 8;

/** Reports every word of a shell text that may name a file, with its role. Throws a `RangeError` if the text is too long. */
export function walkShell(text: string, facts: ShellFacts, visitor: Visitor, nesting = 0): ShellWalk {
  refuseTooMuch(text);
  const script = parse(text);
  const walk = new Walk(text, script, facts, visitor, nesting);
  const { cwd, vars, ...rest } = facts;
  const scope: ShellScope = {
    ...rest,
    here: fixed(cwd),
    vars: new Map(Object.entries(vars).map(([k, v]) => [k, fixed(v)])),
  };
  walk.visitNode(script, scope, 'surely');
  const error = walk.error;
  return {
    text: error === undefined ? walk.rewritten : text,
    ...(error === undefined ? {} : { error }),
    doubts: walk.reporter.doubts,
    programs: walk.reporter.programs,
    functions: [...walk.reporter.functions],
  };
}

type Chance = 'surely' | 'maybe';
/** One pass over one text, which collects edits, errors and doubts. */
class Walk {
  readonly error: string | undefined;
  readonly reporter: WordReporter;
  private readonly edits: Edit[] = [];
  /** The variables of the current command, which nested text can use. */
  private vars: ShellScope['vars'] = new Map();
  /** Depth inside subshells, pipelines and substitutions. */
  private depth = 0;
  /** Depth inside texts whose positions are not positions in the source. */
  private detached = 0;
  private readonly survey: ShellSurvey;
  private readonly source: string;
  private readonly facts: ShellFacts;
  private readonly visitor: Visitor;
  private readonly nesting: number;

  constructor(source: string, script: ParsedScript, facts: ShellFacts, visitor: Visitor, nesting: number) {
    [this.source, this.facts, this.visitor, this.nesting] = [source, facts, visitor, nesting];
    this.survey = surveyOf(script);
    this.error = this.survey.error;
    this.reporter = new WordReporter(visitor, (text, cwd) => this.walkNested(text, cwd));
    for (const name of this.survey.functions) this.reporter.functions.add(name);
  }

  get rewritten(): string {
    return edited(this.source, this.edits);
  }

  visitNode(node: SyntaxNode, scope: ShellScope, chance: Chance): void {
    switch (node.type) {
      case 'Command':
        return this.visitCommand(node, scope, chance);
      case 'AndOr':
        return this.visitChain(node.commands, scope, chance);
      case 'Pipeline':
        return this.visitPipeline(node, scope, chance);
      case 'Script':
      case 'Subshell':
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
        if (node.target === undefined) return;
        if (node.operator === '<') return this.word(node.target, { as: 'run' }, scope);
        return this.visitInner(node.target, scope);
      case 'TestBinary':
        // A comparison uses the text, not a file.
        return forEachChild(node, (child) => this.visitInner(child, scope));
      case 'TestUnary':
        return this.word(node.operand, { as: 'named' }, scope);
      case 'Word':
        return this.word(node, { as: 'read' }, scope);
      default:
        forEachChild(node, (child) => this.visitNode(child, scope, chance));
    }
  }

  /** The main text changes this scope. Every other script runs in a process of its own. */
  private visitApart(node: SyntaxNode, scope: ShellScope, chance: Chance): void {
    const isMain = node.type === 'Script' && this.depth === 0;
    const isOwnText = node.type === 'Script' && node.source !== undefined;
    this.depth++;
    if (isOwnText) this.detached++;
    const inner = isMain ? scope : apart(scope);
    for (const child of childrenOf(node)) this.visitNode(child, inner, chance);
    if (isOwnText) this.detached--;
    this.depth--;
  }

  /** `cat file | sh` runs the file. What other programs print into `sh` is known only at run time. */
  private visitPipeline(node: Pipeline, scope: ShellScope, chance: Chance): void {
    node.commands.forEach((command, i) => {
      const next = node.commands[i + 1];
      const feeds = next?.type === 'Command' ? this.rolesIn(next, scope).found.readsInput : undefined;
      const inner = apart(scope);
      this.depth++;
      if (command.type === 'Command')
        this.visitCommand(command, inner, chance, { isFed: i > 0, ...(feeds && { feeds }) });
      else this.visitNode(command, inner, chance);
      this.depth--;
      if (feeds !== undefined && !(command.type === 'Command' && command.name?.value === 'cat'))
        this.reporter.doubts.push(
          `${next?.type === 'Command' ? next.name?.text : ''} runs what is printed into it`,
        );
    });
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

  private rolesIn(node: Command, scope: ShellScope) {
    const words: CommandArgument[] = node.name === undefined ? [] : [node.name, ...node.args];
    const values = words.map((w) => (w.type === 'Word' ? wordValue(w, scope) : undefined));
    const found = rolesOf(
      values.map((v, i) => v?.text ?? (words[i]?.type === 'Assignment' ? words[i].text : undefined)),
    );
    return { words, values, found };
  }

  private visitCommand(node: Command, scope: ShellScope, chance: Chance, pipe: Pipe = {}): void {
    for (const part of node.prefix) {
      if (part.type === 'Assignment')
        this.visitAssignment(part, scope, node.name === undefined ? chance : 'maybe');
    }
    const { words, values, found } = this.rolesIn(node, scope);
    this.reporter.doubts.push(...found.doubts);
    this.reporter.programs.push(...found.programs);
    const there = movedTo(scope, values, found);
    this.vars = scope.vars;
    const spots = words.map((word) => this.spot(word, scope));
    words.forEach((word, i) => {
      const role = found.roles[i] ?? { as: 'read' };
      const around = found.moved !== undefined && i >= found.moved.from ? there : scope;
      if (word.type === 'Assignment') return this.visitAssignment(word, scope, chance);
      this.visitInner(word, scope);
      const isUnsure = this.survey.isRenamed && (role.as === 'named' || role.as === 'written');
      const isFeeding = pipe.feeds !== undefined && node.name?.value === 'cat' && i > 0 && role.as === 'read';
      if (isFeeding) this.takeInput(spots[i]!, pipe.feeds!, around);
      else this.reporter.reportWord(spots, i, isUnsure ? { as: 'read' } : role, around.here);
    });
    this.visitInput(node, found.readsInput, there, chance, pipe);
    if (node.name?.value === 'cd' || node.name?.value === 'pushd') moveTo(scope, values);
  }

  /** Redirections. If the command reads its program from its input, the redirected text or file is code. */
  private visitInput(
    node: Command,
    language: ReadLanguage | undefined,
    scope: ShellScope,
    chance: Chance,
    { isFed = false }: Pipe,
  ): void {
    let isGiven = isFed || language === undefined;
    for (const part of node.redirects) {
      const isInput = part.descriptor === undefined && (part.type !== 'Redirect' || part.operator === '<');
      if (language === undefined || !isInput) {
        this.visitNode(part, scope, chance);
        continue;
      }
      isGiven = true;
      if (part.type === 'HereDoc') this.visitHereDoc(part, language, scope);
      else if (part.target !== undefined) {
        const spot = this.spot(part.target, scope);
        this.visitInner(part.target, scope);
        if (part.type === 'HereString')
          this.reporter.report(spot, { as: 'code', language }, scope.here, false);
        else this.takeInput(spot, language, scope);
      }
    }
    if (!isGiven) this.reporter.doubts.push(`${node.name?.text ?? ''} runs what it is given on its input`);
  }

  /** A program on the input has no path of its own, so it resolves relative imports in the working folder. */
  private takeInput(spot: WordSpot, language: ReadLanguage, scope: ShellScope): void {
    this.reporter.report(spot, { as: 'run', language }, scope.here, false);
    if (language !== 'shell')
      this.reporter.doubts.push(
        `${spot.text} is given as input: what it loads, it finds in the working folder`,
      );
  }

  private visitHereDoc({ body }: HereDoc, language: ReadLanguage, scope: ShellScope): void {
    this.visitInner(body, scope);
    const isPlain = body.parts === undefined || body.parts.every((part) => part.type === 'Literal');
    if (!isPlain) return void this.reporter.doubts.push('a here-document is only known when it runs');
    const replace = (by: string) => this.edits.push({ pos: body.pos, end: body.end, by });
    const canReplace = this.detached === 0 && this.error === undefined;
    this.reporter.code(
      { text: body.text, value: fixed(body.text), ...(canReplace && { replace }) },
      language,
      scope.here,
    );
  }

  private visitAssignment(node: Assignment, scope: ShellScope, chance: Chance): void {
    const { name, value } = node;
    if (value.type === 'ArrayValue') return this.visitNode(value, scope, chance);
    this.visitInner(value, scope);
    this.reporter.assigned(name, this.spot(value, scope), scope.here);
    const known =
      chance === 'surely' && !node.append && this.survey.assigned.get(name) === 1
        ? wordValue(value, scope)
        : undefined;
    if (known === undefined) scope.vars.delete(name);
    else scope.vars.set(name, known);
  }

  /** Substitutions inside a word run too, whatever the role of the word. */
  private visitInner(node: SyntaxNode, scope: ShellScope): void {
    for (const child of childrenOf(node)) {
      if (child.type === 'Script') this.visitNode(child, scope, 'maybe');
      else this.visitInner(child, scope);
    }
  }

  private word(word: Word, role: WordRole, scope: ShellScope): void {
    this.visitInner(word, scope);
    this.reporter.report(this.spot(word, scope), role, scope.here, false);
  }

  private spot(word: CommandArgument, scope: ShellScope): WordSpot {
    if (word.type === 'Assignment') return { text: word.text, value: undefined };
    const canReplace = this.detached === 0 && this.error === undefined;
    return spotOf(word, wordValue(word, scope), canReplace ? this.edits : undefined);
  }

  private walkNested(text: string, cwd: string): ShellWalk | undefined {
    if (this.nesting >= MAX_NESTING) return undefined;
    const { top } = this.facts;
    const vars = Object.fromEntries([...this.vars].map(([name, known]) => [name, known.text]));
    return walkShell(text, { cwd, vars, ...(top !== undefined && { top }) }, this.visitor, this.nesting + 1);
  }
}
