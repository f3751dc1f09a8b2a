import type { Danger } from './rule.ts';

export const PIPE_TO_SHELL: Danger = {
  instead: 'Download the script to a file, read it, then run the file; or install it by a package manager.',
  runsFetched: { why: 'it runs what somebody else serves at this moment, and nobody has read it' },
  rules: [
    {
      command: 'npx|pnpx|bunx|npm exec|pnpm dlx|yarn dlx|pip|pip3|npm install|npm i|uvx|pipx',
      word: /^(?:https?|git\+https?|git\+ssh):\/\//,
      noWord: /^(?:-i|--index-url|--extra-index-url|--registry|-r|-c)$/,
      why: 'it installs and runs code from an address',
    },
    { command: 'deno|bun|go', word: /^https?:\/\//, why: 'it runs code from an address' },
    { command: 'source|.', operand: /^https?:\/\//, why: 'it runs code from an address' },
  ],
};
