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

/**
 * @param {import('./tables.mjs').Tables} tables
 * @param {readonly WildResult[]} results
 */
export function wildPage({ agents }, results) {
  const shown = (/** @type {string} */ kind) =>
    Object.values(agents.AGENTS).find(({ name }) => name === kind)?.shown ?? 'Claude Agent SDK';
  const whole = results.filter(isAsAtHome).length;
  return `| package | version | of | registers | answers as there | \`fire\` | our agent | compared with | seen | what does not work, and whose fault |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
${results.map((result) => line(result, shown)).join('\n')}

${whole} of ${results.length} register and answer in everything as they do at home.`;
}

/** @param {WildResult} result */
const isAsAtHome = ({ asAtHome, answers, oracle }) =>
  oracle !== null && asAtHome && answers.same === answers.of;

/**
 * @param {WildResult} result
 * @param {(kind: string) => string} shown
 */
function line(result, shown) {
  const [kind = '', name = ''] = result.package.split(/:(.*)/s);
  const { registers, asAtHome, answers, oracle } = result;
  const counted = Object.entries(registers).map(([what, count]) => `${count} ${what}`);
  return `| ${[
    name,
    result.version,
    shown(kind),
    `${counted.join(', ') || 'nothing'}${asAtHome ? '' : ' (not as there)'}`,
    `${answers.same} of ${answers.of}`,
    result.fire ?? '–',
    result.agent ?? '–',
    oracle === null
      ? 'nobody: it does not run there'
      : `${oracle}${result.on === 'Node' ? '' : `, ours on ${result.on}`}`,
    `${result.date}, Node ${result.node}`,
    (result.lacks ?? result.problem ?? '').replaceAll('|', '\\|'),
  ].join(' | ')} |`;
}
