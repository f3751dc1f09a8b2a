/** Asks before the agent writes where it seldom should: settings of the project, keys, lock files, CI. */

import { ask, defineHook } from 'anyhook';

const PROTECTED = [
  /(^|\/)\.env(\.|$)/,
  /(^|\/)\.git\//,
  /(^|\/)\.github\/workflows\//,
  /(^|\/)(package-lock\.json|yarn\.lock|pnpm-lock\.yaml|Cargo\.lock)$/,
  /\.(pem|key|p12)$/,
];

export default defineHook({
  on: 'tool.before',
  match: 'write|edit|multi-edit',
  name: 'protected-paths',
  run({ payload }) {
    const path = String(payload.input['path'] ?? '');
    return PROTECTED.some((one) => one.test(path))
      ? ask(`${path} is protected; is this change wanted?`)
      : undefined;
  },
});
