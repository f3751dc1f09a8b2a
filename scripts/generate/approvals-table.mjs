/** How each agent waits for an answer, as the suite of real agents saw it. */

/** @import { Tables } from './tables.mjs' */

/**
 * @typedef {object} ApprovalResult
 * @property {string} version
 * @property {string} on
 * @property {{ ran: string[], isNoteTold: boolean, isRetryTold: boolean, holdSeconds: number, medianVisibleMs: number }} result
 */

/**
 * @param {Tables} tables
 * @param {Record<string, ApprovalResult>} results
 */
export function approvalsTable({ agents }, results) {
  const rows = Object.values(agents.AGENTS).map(({ name, shown, can }) => {
    const how = can['tool.before']?.ask === 'full' ? 'by the agent, or held with `always`' : 'held';
    const seen = results[name];
    if (seen === undefined) return [shown, how, 'not seen in a run', '–', '–', '–'];
    const { ran, isNoteTold, holdSeconds } = seen.result;
    return [
      shown,
      how,
      `${seen.version}, ${seen.on}`,
      ran.includes('held.txt') ? `${holdSeconds} s` : 'no',
      isNoteTold ? 'yes' : 'no',
      ran.includes('late.txt') ? 'yes' : 'no',
    ];
  });
  const head = [
    'agent',
    'a question is asked',
    'seen in',
    'waited at least',
    'note reaches the model',
    'refused, then approved on retry',
  ];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
