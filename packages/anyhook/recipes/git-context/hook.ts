/** Tells the model at the start where the repository stands: branch, changes, the last commits. */

import { context, defineHook } from 'anyhook';

export default defineHook({
  on: 'session.start',
  name: 'git-context',
  timeoutMs: 10_000,
  async run(_, { exec }) {
    const git = async (...args: string[]) => (await exec('git', args)).stdout.trim();
    const branch = await git('branch', '--show-current');
    if (branch === '') return undefined;
    const changes = (await git('status', '--short')).split('\n').slice(0, 30).join('\n');
    const commits = await git('log', '--oneline', '-5');
    return context(`On branch ${branch}.\nChanged:\n${changes || '(nothing)'}\nLast commits:\n${commits}`);
  },
});
