/** Keeps keys and tokens out of files that the agent writes. */

import { defineHook, deny } from 'anyhook';

const SECRETS: Readonly<Record<string, RegExp>> = {
  'an AWS key': /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
  'a GitHub token': /\bgh[pousr]_[A-Za-z0-9]{36,}\b/,
  'an API key': /\bsk-(?:ant-|proj-)?[A-Za-z0-9_-]{20,}/,
  'a Slack token': /\bxox[abprs]-[A-Za-z0-9-]{10,}/,
  'a private key': /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
};

export default defineHook({
  on: 'tool.before',
  match: 'write|edit|multi-edit',
  name: 'secrets-in-files',
  run({ payload }) {
    const text = JSON.stringify(payload.input);
    const found = Object.keys(SECRETS).find((name) => SECRETS[name]!.test(text));
    if (found !== undefined)
      return deny(`This would write ${found} into a file: read it from the environment instead.`);
    return undefined;
  },
});
