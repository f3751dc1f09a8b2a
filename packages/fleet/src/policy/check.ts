/**
 * `policy check`: finds policies that would not load or would have blocked recorded work, before they are rolled out.
 */

import { statSync } from 'node:fs';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type PolicyTrial, problemText, tryPolicy } from 'anyhook/policy';

export interface CheckedPolicy {
  /** Whether the policy can be rolled out. */
  readonly isSound: boolean;
  readonly trial: PolicyTrial;
  readonly lines: readonly string[];
}

/** `recorded` has journal files or folders with journal files. */
export async function checkPolicy(folder: string, recorded: readonly string[]): Promise<CheckedPolicy> {
  const trial = await tryPolicy(folder, recorded.flatMap(journalsIn));
  const { version, hooks, problems, replayed, refusals } = trial;
  const broken = problems.filter(({ severity }) => severity === 'error');
  const unversioned = version === 0 && broken.length === 0;
  return {
    isSound: broken.length === 0 && refusals.length === 0 && !unversioned,
    trial,
    lines: [
      ...problems.map((one) => `${one.severity}  ${problemText(one)}`),
      ...(unversioned
        ? [`error  ${join(folder, 'policy.json')} is not there: a policy that is rolled out has a version`]
        : []),
      ...refusals.map(refusalLine),
      `version ${version}, ${counted(hooks.length, 'hook')}${hooks.length === 0 ? '' : ` (${hooks.join(', ')})`}`,
      recorded.length === 0
        ? 'no recorded sessions were named: what it would have refused is not known (--journal)'
        : `${counted(replayed, 'recorded decision')}, ${counted(refusals.length, 'of them', 'of them')} refused by this policy`,
    ],
  };
}

const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

function refusalLine({ record, verdict, reasons, inexact }: PolicyTrial['refusals'][number]): string {
  const { tool, input } = (record.before ?? {}) as { tool?: unknown; input?: unknown };
  const what =
    tool === undefined ? record.event : `${String(tool)} ${JSON.stringify(input ?? {}).slice(0, 100)}`;
  const who = reasons.map(({ hook, text }) => `${hook}: ${text}`).join('; ');
  return `${verdict}  ${record.at} ${record.host.name} ${what}\n      ${who}${inexact.length === 0 ? '' : ` (not exact: ${inexact.join('; ')})`}`;
}

function journalsIn(path: string): readonly string[] {
  if (statSync(path).isFile()) return [path];
  // Later parts of a session are read with its first part.
  return readdirSync(path)
    .filter((name) => name.endsWith('.jsonl') && !/~~\d+\.jsonl$/.test(name))
    .map((name) => join(path, name));
}
