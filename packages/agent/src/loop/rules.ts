/**
 * Permission rules: `tool`, or `tool(pattern)` for a command, a path or a URL. When unsure, a rule does not approve.
 */

import { homedir } from 'node:os';
import { relative, resolve, sep } from 'node:path';
import type { Fields } from 'anyhook';
import { judgeShell } from 'anyhook/bash';
import picomatch from 'picomatch';
import type { Settings } from './settings.ts';

export type Mode = 'allow' | 'ask' | 'deny';
export const STRICTER: Readonly<Record<Mode, number>> = { allow: 0, ask: 1, deny: 2 };

export interface Rule {
  readonly tool: string;
  readonly pattern?: string;
}
export interface RuleJudgement {
  readonly mode: Mode;
  /** The matching rule. Undefined if the mode of the session decided. */
  readonly rule?: string;
}

/** Read-only tools, which need no consent unless a rule asks for it. */
const HARMLESS: ReadonlySet<string> = new Set(['read', 'glob', 'grep', 'todo', 'task']);
/** The argument that a pattern is matched against. */
const ARGUMENT: Readonly<Record<string, string>> = {
  shell: 'command',
  read: 'path',
  write: 'path',
  edit: 'path',
  'multi-edit': 'path',
  glob: 'path',
  grep: 'path',
  fetch: 'url',
  task: 'type',
};
const PATHS: ReadonlySet<string> = new Set(['read', 'write', 'edit', 'multi-edit', 'glob', 'grep']);

/** Throws a SyntaxError for an invalid rule. */
export function readRule(text: string): Rule {
  const [, tool, pattern] = /^\s*([\w*:.-]+)\s*(?:\((.+)\))?\s*$/s.exec(text) ?? [];
  if (tool === undefined)
    throw new SyntaxError(
      `${JSON.stringify(text)} is not a valid rule: write a tool, or tool(pattern), as shell(git status *)`,
    );
  return pattern === undefined || pattern.trim() === '*' ? { tool } : { tool, pattern: pattern.trim() };
}

export function isRule(text: string): boolean {
  try {
    return readRule(text) !== undefined;
  } catch {
    return false;
  }
}

/** Deny wins over ask, and ask wins over allow, in any order. */
export function judge(
  { mode, allow, ask, deny }: Settings['permission'],
  call: { readonly tool: string; readonly input: Fields; readonly cwd: string },
): RuleJudgement {
  const refused = deny.find((rule) => refuses(readRule(rule), call));
  if (refused !== undefined) return { mode: 'deny', rule: refused };
  const asked = ask.find((rule) => refuses(readRule(rule), call));
  if (asked !== undefined) return { mode: 'ask', rule: asked };
  const approved = approves(allow, call);
  if (approved !== undefined) return { mode: 'allow', rule: approved };
  return { mode: HARMLESS.has(call.tool) ? 'allow' : mode };
}

/** The rule that `always` adds: this exact command or path. */
export function ruleFor(tool: string, input: Fields): string {
  const value = input[ARGUMENT[tool] ?? ''];
  return typeof value === 'string' && value !== '' ? `${tool}(${literal(value)})` : tool;
}

type Call = Parameters<typeof judge>[1];

/** One matching command of a line is enough for a refusal. A line that cannot be analyzed matches too. */
function refuses(rule: Rule, call: Call): boolean {
  if (!isFor(rule, call)) return false;
  if (rule.pattern === undefined) return true;
  const value = valueOf(call);
  if (value === undefined) return true;
  if (call.tool !== 'shell') return fits(rule.pattern, value, call);
  return shellGlobs(rule.pattern).some((glob) => judgeShell({ deny: [glob] }, value) === 'deny');
}

/** An approval must cover every command of a line, so all shell rules are checked together. */
function approves(rules: readonly string[], call: Call): string | undefined {
  const read = rules.map((text) => ({ text, rule: readRule(text) })).filter(({ rule }) => isFor(rule, call));
  const whole = read.find(({ rule }) => rule.pattern === undefined);
  if (whole !== undefined) return whole.text;
  const value = valueOf(call);
  if (value === undefined) return undefined;
  if (call.tool !== 'shell') return read.find(({ rule }) => fits(rule.pattern!, value, call))?.text;
  const same = read.find(({ rule }) => unliteral(rule.pattern!) === value);
  if (same !== undefined) return same.text;
  const allow = read.flatMap(({ rule }) => shellGlobs(rule.pattern!));
  return judgeShell({ allow }, value) === 'allow' ? read.map(({ text }) => text).join(', ') : undefined;
}

const isFor = (rule: Rule, { tool }: Call): boolean =>
  rule.tool === tool || (rule.tool.includes('*') && picomatch.isMatch(tool, rule.tool, { bash: true }));
const shellGlobs = (pattern: string): string[] =>
  pattern.endsWith(' *') ? [pattern, pattern.slice(0, -2)] : [pattern];
function valueOf({ tool, input }: Call): string | undefined {
  const value = input[ARGUMENT[tool] ?? ''];
  return typeof value === 'string' ? value : undefined;
}

/** Matches the real path after links. `src/**` is relative to the working folder; `/…` and `~/…` are absolute. */
function fits(pattern: string, value: string, { tool, cwd }: Call): boolean {
  if (unliteral(pattern) === value) return true;
  if (!PATHS.has(tool)) return picomatch.isMatch(value, pattern, { bash: true, dot: true });
  const path = resolve(cwd, value);
  const glob = pattern.startsWith('~/') ? resolve(homedir(), pattern.slice(2)) : pattern;
  const isWhole = glob.startsWith('/');
  const subject = isWhole ? path : relative(cwd, path);
  if (!isWhole && (subject === '..' || subject.startsWith(`..${sep}`))) return false;
  return picomatch.isMatch(subject.replaceAll(sep, '/'), glob, { dot: true, basename: !glob.includes('/') });
}

const literal = (value: string): string => value.replaceAll(/[*?[\]{}()!\\]/g, (sign) => `\\${sign}`);
const unliteral = (pattern: string): string => pattern.replaceAll(/\\([*?[\]{}()!\\])/g, '$1');
