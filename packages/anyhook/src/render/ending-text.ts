import type { Answer } from '../events/outcome.ts';
import { safe } from './safe.ts';

/** Of what was said on stderr: whoever mends it needs the end of it, not all. */
const LINES = 5;

/** How a hook broke: the kind, exit code or signal, and the last of what it said on stderr; empty where it did not. */
export function endingText({ failed, ending = {} }: Pick<Answer, 'failed' | 'ending'>): string {
  if (failed === undefined) return '';
  const { code, signal, stderr = '' } = ending;
  const how = [
    failed.kind,
    ...(code === undefined ? [] : [`exit ${code}`]),
    ...(signal === undefined ? [] : [`signal ${signal}`]),
    ...(code === undefined && signal === undefined && failed.detail !== undefined ? [failed.detail] : []),
  ].join(', ');
  const last = stderr.trim().split('\n').slice(-LINES).join('\n');
  return safe(last === '' ? how : `${how}; stderr: ${last}`);
}
