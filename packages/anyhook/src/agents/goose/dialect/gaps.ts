/** Goose behaviour that is not supported, with reasons. Printed on the docs page. The document itself has no gaps. */

import type { GooseWord } from './names.ts';

export interface GooseGap {
  /** The section of Goose's behaviour. */
  readonly about: string;
  readonly goose: string;
  readonly here: string;
  readonly because: string;
  /** Events whose hooks cannot answer. */
  readonly answers?: readonly GooseWord[];
}

export const GAPS: readonly GooseGap[] = [
  {
    about: 'events',
    goose: 'BeforeShellExecution, BeforeReadFile, ContextFill, SubagentStart cannot block',
    here: 'the same; our own event can, so a refusal by such a hook is a failure with a mark',
    because: 'one event of ours is several of theirs',
    answers: ['BeforeShellExecution', 'BeforeReadFile', 'ContextFill', 'SubagentStart'],
  },
  {
    about: 'events',
    goose: 'PreToolUseResult is sent for every call, also for one that was let through',
    here: 'only for a refused call',
    because: 'our event only covers refused calls',
  },
  {
    about: 'events',
    goose: 'ContextFill fires once for each threshold named by a matcher',
    here: 'fires when a host reports it; the matcher is ignored with a warning',
    because: 'never released; no host of ours measures it',
  },
  {
    about: 'configuration',
    goose: 'of two project files only .goose/settings.json is read',
    here: 'both, .goose first, the same entry once',
    because: 'the document lists both',
  },
  {
    about: 'configuration',
    goose: 'files are read again for every message',
    here: 'once, when they are loaded',
    because: 'what runs is what was judged when the session began',
  },
  {
    about: 'configuration',
    goose: 'one malformed action voids a plugin’s whole file',
    here: 'only that action, which fails by its policy',
    because: 'guards beside it must not vanish',
  },
  {
    about: 'configuration',
    goose:
      'a project’s plugin replaces the user’s of the same name; its settings switch the user’s plugins off',
    here: 'both run; a project’s settings concern its own plugins only',
    because: 'a cloned project must not take a guard away',
  },
  {
    about: 'configuration',
    goose: 'plugins in Goose’s own install folder are read',
    here: 'not',
    because: 'the folder is not documented and differs by version',
  },
  {
    about: 'matchers',
    goose: 'a glob with ** beside other letters is invalid and never matches',
    here: '** is read as *',
    because: 'a guard that never runs protects nothing',
  },
  {
    about: 'running',
    goose: 'bash (the fork), sh (current)',
    here: '/bin/sh',
    because: 'as current Goose does; a script names its own interpreter',
  },
  {
    about: 'output',
    goose: 'current Goose: exit 0 with text other than a decision is a failure on PreToolUse',
    here: 'context for the model',
    because: 'the document says so',
  },
  {
    about: 'output',
    goose: 'current Goose: an allow from a hook that never read its payload is a failure',
    here: 'not noticed',
    because: 'an allow is not an approval here, so it loosens nothing',
  },
  {
    about: 'output',
    goose: 'allow lets the call go on',
    here: 'the same, but it is not an approval: the user is still asked',
    because: 'Goose runs its hooks after it has asked the user',
  },
  {
    about: 'injection',
    goose: 'context from PreToolUse, PreCompact and Stop is thrown away',
    here: 'handed to the host, which says what it can do with it',
    because: 'users want it, and a host that cannot do it gets a problem',
  },
];
