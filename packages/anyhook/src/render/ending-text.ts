import { EXIT_HINT } from '../events/exit-hint.ts';
import type { Answer } from '../events/outcome.ts';
import { safe } from './safe.ts';

/** Number of lines shown from the end of stderr, where the cause of a failure usually is. */
const LINES = 5;

/**
 * Describes how a hook broke: the kind, exit code or signal, and the last lines of stderr. Empty if it did
 * not break.
 */
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
  const hint = failed.detail?.includes(EXIT_HINT) === true ? `\n${EXIT_HINT}` : '';
  return safe(`${last === '' ? how : `${how}; stderr: ${last}`}${code === undefined ? '' : hint}`);
}
