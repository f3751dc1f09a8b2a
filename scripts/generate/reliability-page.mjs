// The table of docs/reliability.md, from what `npm run test:faults -- -u` wrote down.
// @ts-check

/** @type {Readonly<Record<string, string>>} */
const GOALS = {
  G1: 'Whatever a hook answers: no crash, no hang, no approval that was not given, no refusal lost without a mark',
  G2: 'Every fault, of every kind of hook, under every policy: a closed guard never lets pass, an observer never holds back',
  G3: 'The laws of merging hold for every set of hooks',
  G4: 'Many calls at once: each answered once and recorded once, also with few file handles',
  G5: 'kill -9 at any moment: what was acknowledged is recorded, nobody is left, the host answers',
  G6: 'A hook that will not end is ended: deadline + grace + 250 ms',
  G7: 'Hooks that flood cost little memory',
  G14: 'Hooks inside hooks and agents that never stop have an end',
  G15: 'Nothing that listens takes what is not its client’s',
  G17: 'Whatever happens to a settings file, no guard is lost in silence',
  G18: 'Hours of work leave memory, handles and processes as they were',
  G20: 'Faults planted into the sources are seen by the tests',
  G21: 'On the control channel each request has exactly one outcome',
  G24: 'Undo restores every byte, loses no change of the user, and leaves no object after a prune',
};

/**
 * @param {readonly { id: string, what: string, value: string, isControl?: boolean, date: string, machine: string }[]} kept
 * @returns {string}
 */
export function reliabilityTable(kept) {
  const results = kept.filter(({ isControl }) => isControl !== true);
  const controls = kept.filter(({ isControl }) => isControl === true);
  const lines = results.map(({ id, what, value, date }, at) => {
    const isFirst = results[at - 1]?.id !== id;
    const cells = [isFirst ? id : '', isFirst ? (GOALS[id] ?? '') : '', what, value, date];
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  });
  const machines = [...new Set(results.map(({ machine }) => machine))];
  return [
    '| figure | what must hold | what was tried | what came of it | measured |',
    '| --- | --- | --- | --- | --- |',
    ...lines,
    '',
    `Measured on: ${machines.join('; ')}. While other programs used the same cores, times are longer than on an idle machine.`,
    '',
    'G8 to G13 and G16 (command lines, trust, self-protection, secrets) are counted by `npm run test:guards` and stand in',
    '[SECURITY.md](../SECURITY.md#figures); G19 (cost) is in [benchmarks.md](benchmarks.md).',
    '',
    'A test that cannot fail is worth nothing. What careless variants and planted faults came to in the same tests:',
    '',
    '| figure | the control | what the test saw | measured |',
    '| --- | --- | --- | --- |',
    ...controls.map(
      ({ id, what, value, date }) =>
        `| ${[id, what, value, date].map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`,
    ),
  ].join('\n');
}
