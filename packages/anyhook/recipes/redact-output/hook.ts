/** Takes keys and tokens out of what tools print, before the model sees it. */

import { defineHook, set } from 'anyhook';

const SECRETS: Readonly<Record<string, RegExp>> = {
  'an AWS key': /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
  'a GitHub token': /\bgh[pousr]_[A-Za-z0-9]{36,}\b/,
  'an API key': /\bsk-(?:ant-|proj-)?[A-Za-z0-9_-]{20,}/,
  'a Slack token': /\bxox[abprs]-[A-Za-z0-9-]{10,}/,
  'a private key': /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
};

export default defineHook({
  on: 'tool.after',
  name: 'redact-output',
  onFailure: 'block', // withhold the result rather than show it unredacted
  run({ payload }) {
    const before = JSON.stringify(payload.content);
    const after = Object.entries(SECRETS).reduce(
      (text, [name, secret]) => text.replaceAll(new RegExp(secret, 'g'), `[${name}, taken out]`),
      before,
    );
    return after === before ? undefined : set('content', JSON.parse(after));
  },
});
