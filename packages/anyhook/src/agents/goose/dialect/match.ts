/**
 * Reads matchers: a tool name, `Bash`, `Bash(git *)`. Text with characters outside tool names is a regular expression
 * on the whole name, or in a plugin anywhere in it. The table defines the subject of each event.
 */

import type { Event } from '../../../events/event.ts';
import type { Hook, Match } from '../../../events/hook.ts';
import { compilePattern } from '../../../events/pattern.ts';
import type { ProblemCode } from '../../../events/problems.ts';
import { matchesShell } from '../../../shell/matches-shell.ts';
import type { GooseWord } from './names.ts';
import { tools } from './tools.ts';

export type GooseMatcher = Pick<Hook, 'match' | 'when'>;
export interface GooseMatcherRead {
  readonly matcher: GooseMatcher;
  /** A warning for the author. The hook is loaded. */
  readonly remark?: { readonly code: ProblemCode; readonly message: string; readonly remedy: string };
}
type Reads = 'tool' | 'trigger' | 'kind' | 'prompt' | 'command' | 'file' | null;

const ANY: GooseMatcher = { match: { kind: 'any' } };
const READS: { readonly [E in GooseWord]?: Reads } = {
  PreToolUse: 'tool',
  PostToolUse: 'tool',
  PostToolUseFailure: 'tool',
  PermissionRequest: 'tool',
  PreToolUseResult: 'tool',
  PreCompact: 'trigger',
  PostCompact: 'trigger',
  Notification: 'kind',
  BeforeShellExecution: 'command',
  AfterShellExecution: 'command',
  BeforeReadFile: 'file',
  AfterFileEdit: 'file',
};

/** Throws a SyntaxError for an invalid pattern. */
export function readMatcher(
  source: string | undefined,
  word: GooseWord,
  inPlugin: boolean,
): GooseMatcherRead {
  const about = aboutWhat(word);
  if (source === undefined || source === '' || source === '*') return { matcher: anyOf(about) };
  const reads = READS[word] ?? (inPlugin && word === 'UserPromptSubmit' ? 'prompt' : null);
  switch (reads) {
    case 'tool':
      return { matcher: toolMatcher(source, inPlugin) };
    case 'trigger':
      return triggerMatcher(source);
    case 'kind':
    case 'prompt':
      return { matcher: { match: pattern(source) } };
    case 'command':
    case 'file': {
      const { test } = compilePattern(source);
      return { matcher: { ...ANY, when: (event) => about(event) && test(matchedText(event, reads)) } };
    }
    default: {
      const message = `${word} has nothing to match, so the matcher is ignored and the hooks run`;
      return {
        matcher: anyOf(about),
        remark: { code: 'matcher-unused', message, remedy: 'Leave the matcher out.' },
      };
    }
  }
}

const anyOf = (about: (event: Event) => boolean): GooseMatcher =>
  about === always ? ANY : { ...ANY, when: about };

/** Some Goose events only cover some calls of ours. */
function aboutWhat(word: GooseWord): (event: Event) => boolean {
  switch (word) {
    case 'BeforeShellExecution':
    case 'AfterShellExecution':
      return (event) => toolOf(event) === 'shell';
    case 'BeforeReadFile':
      return (event) => toolOf(event) === 'read';
    case 'TeammateIdle':
    case 'TaskCompleted':
    case 'ContextFill':
      return (event) => (event.payload as { word?: unknown }).word === word;
    default:
      return always;
  }
}
const always = (): boolean => true;
const toolOf = (event: Event): unknown => (event.payload as { tool?: unknown }).tool;

const SHELLS: readonly string[] = tools.shell!.names;
const NAMES = /^[\w-]+(?:\|[\w-]+)*$/;

function toolMatcher(source: string, inPlugin: boolean): GooseMatcher {
  const [, head, glob] = /^([\w-]+)\((.*)\)$/s.exec(source) ?? [];
  if (head !== undefined && SHELLS.includes(head)) return shellMatcher(glob!);
  if (inPlugin) return { match: pattern(source) };
  if (NAMES.test(source)) return { match: { kind: 'names', names: source.split('|') } };
  return { match: { ...pattern(`^(?:${source})$`), source } };
}

function shellMatcher(glob: string): GooseMatcher {
  return {
    match: { kind: 'names', names: SHELLS },
    when: ({ payload }) => {
      const { command } = (payload as { input?: { command?: unknown } }).input ?? {};
      if (command === undefined || command === null) return matchesShell(glob, '');
      return typeof command === 'string' ? matchesShell(glob, command) : true; // cannot be judged
    },
  };
}

/** An event without a subject matches no pattern. */
function pattern(source: string): Extract<Match, { kind: 'pattern' }> {
  const { test } = compilePattern(source);
  return { kind: 'pattern', source, test: (subject) => subject !== '' && test(subject) };
}

const TRIGGERS = ['manual', 'auto'];
/** Goose has two kinds of compaction. Those that the user did not request are automatic. */
function triggerMatcher(source: string): GooseMatcherRead {
  const test = (trigger: string) => source === (trigger === 'manual' ? 'manual' : 'auto');
  const matcher: GooseMatcher = { match: { kind: 'pattern', source, test } };
  if (TRIGGERS.includes(source)) return { matcher };
  const message = `${JSON.stringify(source)} matches no compaction, so the hooks never run`;
  return { matcher, remark: { code: 'bad-matcher', message, remedy: 'Write "manual" or "auto".' } };
}

function matchedText(event: Event, reads: 'command' | 'file'): string {
  const { input, file } = event.payload as { input?: Record<string, unknown>; file?: unknown };
  const value = reads === 'command' ? input?.['command'] : (file ?? input?.['path']);
  return typeof value === 'string' ? value : '';
}
