/** The policy of the organisation, in one line for the user. */

import { safe } from '../render/safe.ts';
import type { LayerRule, Policy } from '../settings/policy.ts';

export const policyLine = ({ version, shadow, user, project, journal }: Policy, file: string): string =>
  safe(
    [
      `Your organisation's policy, version ${version} (${file})`,
      ...(shadow ? ['on trial: nothing of it is enforced'] : []),
      ...(user === 'all' ? [] : [`of your own hooks count: ${ruleText(user)}`]),
      ...(project === 'all' ? [] : [`of a project's hooks count: ${ruleText(project)}`]),
      ...(journal === 'required' ? ['the journal is required'] : []),
    ].join(' · '),
  );

function ruleText(rule: 'none' | LayerRule): string {
  if (rule === 'none') return 'none';
  const { dialects, hashes } = rule;
  return [
    ...(dialects === undefined ? [] : [dialects.join(', ') || 'none']),
    ...(hashes === undefined ? [] : [`${hashes.length} by hash`]),
  ].join(', ');
}
