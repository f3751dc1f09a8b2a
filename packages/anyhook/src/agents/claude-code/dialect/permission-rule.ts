/**
 * Reads `if`: exactly one permission rule (`Bash(git *)`, `Edit(src/**)`, `mcp__server__*`). If a rule cannot be
 * decided, the hook runs.
 */

import { relative, resolve, sep } from 'node:path';
import type { Fields } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import { compilePattern } from '../../../events/pattern.ts';
import { compileGlob } from '../../../shell/glob.ts';
import { matchesShell } from '../../../shell/matches-shell.ts';
import { claudeCallOf } from './call.ts';

/** Tests the path of a permission rule in `.gitignore` syntax, in linear time. */
type PathRule = (path: string, cwd: string) => boolean;

/**
 * `//x` is an absolute path, `~/x` is below the home folder, `/x` and `x/y` are below the working folder, and `x`
 * matches at any depth below it. Without a known home folder `~/x` is undecided and matches. Throws a SyntaxError for
 * rules that are too long.
 */
function pathRule(rule: string): PathRule {
  if (rule.startsWith('~/')) {
    const { test } = compilePattern(`/${sourceOf(rule.slice(2))}`);
    return (path, cwd) => test(slashed(resolve(cwd, path)));
  }
  if (rule.startsWith('//')) {
    const { test } = compilePattern(`^${sourceOf(rule.slice(1))}`);
    return (path, cwd) => test(slashed(resolve(cwd, path)));
  }
  const plain = rule.replace(/^\.?\//, '');
  const isAnywhere = !rule.startsWith('/') && !plain.slice(0, -1).includes('/');
  const { test } = compilePattern(`^${isAnywhere ? `(?:${ANY}*/)?` : ''}${sourceOf(plain)}`);
  return (path, cwd) => {
    const below = slashed(relative(cwd, resolve(cwd, path)));
    return below !== '..' && !below.startsWith('../') && test(below);
  };
}

const ANY = '[\\s\\S]';
const slashed = (path: string): string => path.replaceAll(sep, '/');

/** A rule for a folder covers everything in it. */
function sourceOf(glob: string): string {
  const body = glob
    .replace(/\/$/, '')
    .replaceAll(/\*\*\/|\*\*|\*|\?|[^*?]+/g, (token) => WILD[token] ?? literal(token));
  return `${body}(?:/${ANY}*)?$`;
}
const WILD: Readonly<Record<string, string>> = {
  '**/': `(?:${ANY}*/)?`,
  '**': `${ANY}*`,
  '*': '[^/]*',
  '?': '[^/]',
};
const literal = (text: string): string => text.replaceAll(/[\\^$.+()[\]{}|/]/g, (sign) => `\\${sign}`);

export type RuleTest = (event: Event) => boolean;

/** Throws a SyntaxError for an invalid rule. */
export function readRule(source: string): RuleTest {
  const [, tool, content] = /^\s*([\w*-]+)\s*(?:\((.*)\))?\s*$/s.exec(source) ?? [];
  if (tool === undefined) throw new SyntaxError(`${JSON.stringify(source)} is not a permission rule`);
  if (content?.trim() === '') throw new SyntaxError('its parentheses are empty');
  const fits = toolTest(tool);
  const test =
    content === undefined || content.trim() === '*' ? () => true : contentTest(tool, content.trim());
  return (event) => {
    const call = claudeCallOf(event);
    return fits(call.tool) && test(call.input, event);
  };
}

type ContentTest = (input: Fields, event: Event) => boolean;

const EDITS: ReadonlySet<string> = new Set(['Edit', 'Write', 'MultiEdit', 'NotebookEdit']);
const READS: ReadonlySet<string> = new Set(['Read', 'Glob', 'Grep', 'NotebookRead']);

/** A rule for editing covers every editing tool, and a rule for a server covers all its tools. */
function toolTest(rule: string): (tool: string) => boolean {
  if (rule === 'Edit') return (tool) => EDITS.has(tool);
  if (rule === 'Read') return (tool) => READS.has(tool);
  if (rule === 'Task' || rule === 'Agent') return (tool) => tool === 'Task' || tool === 'Agent';
  if (/^mcp__(?:(?!__).)+$/.test(rule)) return (tool) => tool === rule || tool.startsWith(`${rule}__`);
  return rule.includes('*') ? compileGlob(rule).matches : (tool) => tool === rule;
}

function contentTest(tool: string, content: string): ContentTest {
  if (tool === 'Bash') return shellTest(content);
  if (tool === 'PowerShell') return textTest('command', content);
  if (EDITS.has(tool) || READS.has(tool)) return fileTest(content);
  if (tool === 'WebFetch' && content.startsWith('domain:')) return domainTest(content.slice(7).toLowerCase());
  if (tool === 'WebSearch') return textTest('query', content);
  if (tool === 'Task' || tool === 'Agent') return textTest('subagent_type', content);
  if (tool === 'Skill') return textTest('skill', content);
  return () => true;
}

/**
 * Checks every command of a real parse. Commands that cannot be judged match. As in Claude Code, a rule longer than a
 * command name also matches commands with an expansion.
 */
function shellTest(content: string): ContentTest {
  const globs = content.endsWith(' *') ? [content, content.slice(0, -2)] : [content];
  const isLonger = /\s/.test(content.replace(/(?: |:)\*$/, ''));
  return ({ command }) => {
    if (typeof command !== 'string') return true;
    if (isLonger && EXPANSION.test(command)) return true;
    return globs.some((glob) => matchesShell(glob, command));
  };
}
const EXPANSION = /\$[\w({]|`/;

function fileTest(content: string): ContentTest {
  const test = pathRule(content);
  return (input, { scene }) => {
    const path = input['file_path'] ?? input['notebook_path'] ?? input['path'];
    return typeof path === 'string' ? test(path, scene.cwd) : true;
  };
}

function domainTest(domain: string): ContentTest {
  return ({ url }) => {
    if (typeof url !== 'string' || !URL.canParse(url)) return true;
    const host = new URL(url).hostname;
    return domain.startsWith('*.') ? host.endsWith(domain.slice(1)) : host === domain;
  };
}

function textTest(key: string, content: string): ContentTest {
  const globs = [compileGlob(content), compileGlob(content.replace(/ \*$/, ''))];
  return (input) => {
    const value = input[key];
    return typeof value === 'string'
      ? globs.some((glob) => glob.matches(value)) || CHAINED.test(value)
      : true;
  };
}
/** Text of another shell may contain more than one command. */
const CHAINED = /[;&|`$\n]/;
