/** Formats a file right after the agent wrote it. */

import type { Plugin } from '@opencode-ai/plugin';

const formatter: Plugin = async ({ $ }) => ({
  'tool.execute.after': async ({ tool }, { metadata }) => {
    const file = String(metadata?.path ?? '');
    if (tool !== 'edit' && tool !== 'write') return;
    if (/\.tsx?$/.test(file)) await $`npx prettier --write ${file}`.quiet();
    else if (file.endsWith('.py')) await $`black ${file}`.quiet();
    else if (file.endsWith('.go')) await $`gofmt -w ${file}`.quiet();
  },
});

export default formatter;
