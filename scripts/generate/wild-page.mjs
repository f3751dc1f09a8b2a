// docs/wild.md, from what `npm run test:wild -- -u` wrote down.
// @ts-check

/**
 * @typedef {object} WildResult one package, as the suite writes it
 * @property {string} package
 * @property {string} version
 * @property {string} date
 * @property {string} node
 * @property {string} on
 * @property {string | null} oracle
 * @property {Readonly<Record<string, number>>} registers
 * @property {boolean} asAtHome
 * @property {{ readonly same: number, readonly of: number }} answers
 * @property {string} [fire]
 * @property {string} [agent]
 * @property {{ readonly ours: number, readonly native?: number }} ms
 * @property {string | null} problem
 * @property {string | null} lacks
 */

/** @type {Readonly<Record<string, string>>} */
const OF = {
  opencode: 'OpenCode',
  pi: 'pi',
  'oh-my-pi': 'oh-my-pi',
  'claude-code': 'Claude Code',
  'agent-sdk': 'Claude Agent SDK',
};

/** @param {readonly WildResult[]} results */
export function wildPage(results) {
  const whole = results.filter(isAsAtHome).length;
  return `| package | version | of | registers | answers as there | \`fire\` | our agent | compared with | seen | what does not work, and whose fault |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
${results.map(line).join('\n')}

${whole} of ${results.length} register and answer in everything as they do at home.`;
}

/** @param {WildResult} result */
const isAsAtHome = ({ asAtHome, answers, oracle }) =>
  oracle !== null && asAtHome && answers.same === answers.of;

/** @param {WildResult} result */
function line(result) {
  const [kind = '', name = ''] = result.package.split(/:(.*)/s);
  const { registers, asAtHome, answers, oracle } = result;
  const counted = Object.entries(registers).map(([what, count]) => `${count} ${what}`);
  return `| ${[
    name,
    result.version,
    OF[kind] ?? kind,
    `${counted.join(', ') || 'nothing'}${asAtHome ? '' : ' (not as there)'}`,
    `${answers.same} of ${answers.of}`,
    result.fire ?? '–',
    result.agent ?? '–',
    oracle === null
      ? 'nobody: it does not run there'
      : `${oracle}${result.on === 'Bun' ? ', ours on Bun' : ''}`,
    `${result.date}, Node ${result.node}`,
    (result.lacks ?? result.problem ?? '').replaceAll('|', '\\|'),
  ].join(' | ')} |`;
}
