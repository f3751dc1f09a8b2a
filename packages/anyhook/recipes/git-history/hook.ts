/** Refuses forced pushes and rewritten history. */

import { defineHook, deny } from 'anyhook';

export default defineHook({
  on: 'tool.before',
  match: 'danger:history',
  name: 'git-history',
  run: () => deny('History that others may have is not rewritten: make a new commit, or a new branch.'),
});
