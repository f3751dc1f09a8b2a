/** Commits what the agent has changed when a session ends, on a branch of its own; never on main or master. */

import { defineHook, notice } from 'anyhook';

export default defineHook({
  on: 'session.end',
  name: 'commit-at-end',
  timeoutMs: 30_000,
  async run({ ids }, { exec }) {
    const git = (...args: string[]) => exec('git', args);
    const branch = (await git('branch', '--show-current')).stdout.trim();
    if (branch === '' || /^(?:main|master)$/.test(branch)) return undefined;
    if ((await git('status', '--porcelain')).stdout.trim() === '') return undefined;
    await git('add', '--all');
    const { code, stderr } = await git('commit', '--quiet', '-m', `wip: session ${ids.session.slice(0, 8)}`);
    return notice(code === 0 ? `Committed on ${branch}.` : `Nothing was committed: ${stderr.slice(-300)}`);
  },
});
