/** Stops a prompt with a key or token in it before it goes to the model's provider. */

import { defineHook, deny } from 'anyhook';

const SECRETS: Readonly<Record<string, RegExp>> = {
  'an AWS key': /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
  'a GitHub token': /\bgh[pousr]_[A-Za-z0-9]{36,}\b/,
  'an API key': /\bsk-(?:ant-|proj-)?[A-Za-z0-9_-]{20,}/,
  'a Slack token': /\bxox[abprs]-[A-Za-z0-9-]{10,}/,
  'a private key': /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
};

export default defineHook({
  on: 'prompt.submit',
  name: 'secrets-in-prompts',
  run({ payload }) {
    const found = Object.keys(SECRETS).find((name) => SECRETS[name]!.test(payload.prompt));
    if (found !== undefined) return deny(`The prompt holds ${found}; take it out and send it again.`);
    return undefined;
  },
});
