import type { Danger } from './rule.ts';

export const PIPE_TO_SHELL: Danger = {
  instead: 'Download the script to a file, read it, then run the file; or install it by a package manager.',
  runsFetched: { why: 'it runs what somebody else serves at this moment, and nobody has read it' },
  rules: [
    // The package itself must be an address: `npx wait-on http://localhost:3000` only mentions one.
    {
      command: 'npx|pnpx|bunx|npm exec|pnpm dlx|yarn dlx|uvx|pipx run',
      first: /^(?:https?|git\+https?|git\+ssh):\/\//,
      why: 'it installs and runs code from an address',
    },
    // Code from a git repository is everyday work, like a clone.
    {
      command: 'pip install|pip3 install|npm install|npm i|pipx install',
      operand: /^https?:\/\//,
      noWord: /^(?:-i|--index-url|--extra-index-url|--registry|--find-links|-f)$/,
      why: 'it installs and runs code from an address',
    },
    { command: 'deno|bun|go', word: /^https?:\/\//, why: 'it runs code from an address' },
    { command: 'source|.', operand: /^https?:\/\//, why: 'it runs code from an address' },
  ],
};
