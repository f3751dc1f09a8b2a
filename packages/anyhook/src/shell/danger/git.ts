import type { Danger } from './rule.ts';

const SHARED = 'it rewrites or deletes history that others may have';
const WORK = 'it throws away work that is in no commit';
/** Restoring one file is everyday work. Restoring a folder discards everything in it that is not committed. */
const EVERYTHING = /^(?:\.{1,2}\/?|:\/|:\(|:!|\{\})|\*|\/$/;
/** The repository itself, except its locks and messages. */
const REPOSITORY =
  /(?:^|\/)\.(?:git|hg|jj|svn|bzr)(?:\/?$|\/(?!(?:.*\.lock|hooks\/.+|.*_MSG|.*_EDITMSG|rebase-(?:merge|apply)\/?|MERGE_\w+|gc\.log)$))/;

/** Git and similar programs: uncommitted work, and commits that others may have. */
export const GIT: Danger = {
  instead:
    'Keep what is there first (`git stash`, a branch, a commit), push with `--force-with-lease`, undo with `git revert`, or ask the person.',
  rules: [
    { command: 'git push', with: ['f'], without: ['force-with-lease', 'n'], why: SHARED },
    { command: 'git push', operand: /^\+/, without: ['n'], why: SHARED },
    { command: 'git push', with: ['mirror|d|prune'], without: ['n'], why: SHARED },
    { command: 'git push', operand: /^:\S/, without: ['n'], why: SHARED },
    { command: 'git reset', with: ['hard|merge'], why: WORK },
    { command: 'git clean', with: ['f'], without: ['n'], why: WORK },
    { command: 'git checkout|git switch', with: ['f|C|B'], why: WORK },
    { command: 'git checkout', without: ['b', 'B', 'p'], operand: EVERYTHING, why: WORK },
    { command: 'git checkout', with: ['pathspec-from-file'], why: WORK },
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
    {
      command: 'git clean',
      with: ['d|x|X'],
      word: /^clean\.requireForce=(?:false|0|no|off)$/i,
      without: ['n'],
      why: WORK,
    },
    { command: 'git read-tree', word: /^-[a-z]*u|^--reset$/, without: ['n'], why: WORK },
    { command: 'git checkout-index', with: ['f|force'], why: WORK },
    { command: 'git rm', with: ['f|force'], without: ['n', 'dry-run', 'cached'], why: WORK },
    { command: 'git rm', with: ['r'], operand: EVERYTHING, without: ['n', 'dry-run', 'cached'], why: WORK },
    // Reverses the changes on its input: `git diff | git apply -R`.
    {
      command: 'git apply',
      with: ['R|reverse'],
      without: ['check', 'stat'],
      noWord: /^(?!apply$)[^-]/,
      why: WORK,
    },
    { command: 'git submodule', first: /^(?:deinit|update)$/, with: ['f|force'], why: WORK },
    {
      command: 'git branch',
      with: ['f|force'],
      operand: /./,
      noWord: /^-M$/,
      why: 'it moves a branch away from its commits',
    },
    { command: 'git update-ref', operand: /^refs\/(?:heads|tags|stash)/, why: SHARED },
    { command: 'git symbolic-ref|git fast-import', with: ['d|delete|force'], why: SHARED },
    { command: 'git prune|git prune-packed', without: ['n'], why: 'it deletes the way back' },
    { command: 'git repack', word: /^--unpack-unreachable=(?:now|all)/, why: 'it deletes the way back' },
    {
      command: 'git config',
      word: /^gc\.(?:prune|reflog)Expire\S*$/i,
      operand: /^(?:now|0|all)$/,
      why: 'it deletes the way back',
    },
    { command: 'git rebase', with: ['root'], why: SHARED },
    { command: 'git lfs', first: /^prune$/, word: /^(?:--force|-f)$/, why: WORK },
    { command: 'git svn', first: /^reset$/, why: WORK },
    { command: 'git annex', first: /^drop/, word: /^--force$/, why: WORK },
    { command: 'git subrepo|git subtree', word: /^(?:clean|--force|-f)$/, why: WORK },
    {
      command: 'rm|grm|unlink|shred|srm|truncate|wipe|rimraf|trash',
      operand: REPOSITORY,
      why: 'it deletes the repository',
    },
    { command: 'mv|gmv', first: /(?:^|\/)\.(?:git|hg|jj|svn)\/?$/, why: 'it takes the repository away' },
    {
      command: 'find|gfind',
      operand: /(?:^|\/)\.git$/,
      word: /^(?:rm|-delete)$/,
      why: 'it deletes the repository',
    },
    { command: 'gh repo', first: /^delete$/, why: 'it deletes the repository' },
    { command: 'hg|chg|sl', first: /^(?:update|up|checkout|co|goto)$/, word: /^(?:-C|--clean)$/, why: WORK },
    { command: 'hg|chg|sl', first: /^revert$/, word: /^(?:-a|--all|--no-backup|-C)$/, why: WORK },
    {
      command: 'hg|chg|sl',
      first: /^(?:purge|clean|strip|rollback|hide|debugstrip)$/,
      noWord: /^(?:-p|--print|-n|--dry-run)$/,
      why: WORK,
    },
    {
      command: 'jj',
      first: /^(?:abandon|restore|util)$/,
      noWord: /^(?:exec|completion|config-schema|mangen)$/,
      why: WORK,
    },
    { command: 'jj', first: /^op(?:eration)?$/, operand: /^(?:abandon|restore|undo)$/, why: WORK },
    {
      command: 'svn',
      first: /^revert$/,
      word: /^(?:-R|--recursive|--depth=infinity|--remove-added)$/,
      why: WORK,
    },
    { command: 'svn', first: /^cleanup$/, word: /^--remove-/, why: WORK },
    { command: 'svn', first: /^(?:delete|del|remove|rm)$/, word: /^--force$|:\/\//, why: WORK },
    { command: 'bzr|brz', first: /^(?:revert|uncommit|clean-tree)$/, noWord: /^--dry-run$/, why: WORK },
    { command: 'fossil', first: /^(?:revert|clean|purge|shun)$/, noWord: /^(?:-n|--dry-run)$/, why: WORK },
    { command: 'p4', first: /^(?:revert|clean|obliterate)$/, noWord: /^-n$/, why: WORK },
    { command: 'gt|graphite', first: /^delete$/, word: /^(?:-f|--force)$/, why: WORK },
    { command: 'darcs', first: /^(?:revert|obliterate|unrecord|unpull)$/, why: WORK },
    { command: 'repo', first: /^(?:abandon|forall)$/, operand: /^abandon$/, why: WORK },
  ],
};
