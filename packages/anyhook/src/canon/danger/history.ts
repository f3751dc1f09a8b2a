import type { Danger } from './rule.ts';

const SHARED = 'it rewrites or deletes history that others may have';
const WORK = 'it throws away work that is in no commit';
/** Restoring one file is everyday work; restoring all of them throws away everything that is not committed. */
const EVERYTHING = /^(?:\.{1,2}\/?|:\/|\*)$/;

export const HISTORY: Danger = {
  instead:
    'Keep what is there first (`git stash`, a branch, a commit), push with `--force-with-lease`, undo with `git revert`, or ask the person.',
  rules: [
    { command: 'git push', with: ['f'], without: ['force-with-lease', 'n'], why: SHARED },
    { command: 'git push', operand: /^\+/, without: ['n'], why: SHARED },
    { command: 'git push', with: ['mirror|d|prune'], without: ['n'], why: SHARED },
    { command: 'git push', operand: /^:\S/, without: ['n'], why: SHARED },
    { command: 'git reset', with: ['hard|merge'], why: WORK },
    { command: 'git clean', with: ['f'], without: ['n'], why: WORK },
    { command: 'git checkout|git switch', with: ['f|C'], why: WORK },
    { command: 'git checkout', without: ['b', 'B', 'p'], operand: EVERYTHING, why: WORK },
    { command: 'git restore', without: ['S', 'p'], operand: EVERYTHING, why: WORK },
    { command: 'git restore', with: ['W'], operand: EVERYTHING, why: WORK },
    {
      command: 'git branch',
      with: ['d'],
      operand: /./,
      noWord: /^(?:-d|--delete)$/,
      why: 'it deletes a branch whether it was merged or not',
    },
    { command: 'git branch', with: ['d', 'f'], why: 'it deletes a branch whether it was merged or not' },
    { command: 'git stash', first: /^(?:drop|clear)$/, why: WORK },
    { command: 'git reflog', first: /^(?:expire|delete)$/, why: 'it deletes the way back' },
    { command: 'git gc', with: ['prune'], word: /^--prune=(?:now|all)/, why: 'it deletes the way back' },
    { command: 'git filter-branch|git filter-repo', why: SHARED },
    { command: 'git-filter-repo|bfg', why: SHARED },
    { command: 'git update-ref', with: ['d'], why: SHARED },
    { command: 'git worktree', first: /^remove$/, with: ['f'], why: WORK },
    { command: 'rm|grm', with: ['r'], operand: /(?:^|\/)\.git\/?$/, why: 'it deletes the repository' },
    { command: 'gh repo', first: /^delete$/, why: 'it deletes the repository' },
  ],
};
