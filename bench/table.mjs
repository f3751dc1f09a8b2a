// What a row of docs/benchmarks.md says, and when the benchmark has failed.

import { cpus, totalmem } from 'node:os';

/**
 * What a case brought, as rows; those whose subject is not installed here have no measure.
 * @param {string} name of the case
 */
export function rowsOf(name, said) {
  const { rows = [], absent = [], bring, also = [], ...first } = said;
  const found = 'name' in first ? [first, ...[also].flat()] : rows;
  return [...found, ...absent.map((row) => ({ ...row, bring }))].map((row) => ({ ...row, case: name }));
}

/** An explanation is no pass: it stands beside the miss. @param {Readonly<Record<string, string>>} explained */
export function judged(row, explained) {
  const why = explained[row.name] ?? '';
  if (row.bring !== undefined) return { ...row, status: 'not measured here', why: '' };
  const measured = row.value ?? row.ratio;
  if (row.target === undefined) return { ...row, measured, status: 'measured', why };
  const isMet = measured <= row.target;
  return {
    ...row,
    measured,
    status: isMet ? 'met' : why ? 'missed, explained' : 'missed',
    why: isMet ? '' : why,
  };
}

/** With `--check` every miss counts, explained or not. @param {{ isCheck: boolean }} how */
export const missesIn = (table, { isCheck }) =>
  table.filter(({ status }) => status === 'missed' || (isCheck && status === 'missed, explained'));

const unitOf = (row) => (row.unit ? ` ${row.unit}` : ' ×');
const short = (value) => (Math.abs(value) < 0.1 ? value.toFixed(3) : value.toFixed(2));
const spreadOf = ({ low, high }) => (low === undefined ? '' : ` [${short(low)} to ${short(high)}]`);

export function text(row) {
  if (row.bring !== undefined) return `${row.name}: not measured here; \`${row.bring}\` brings what it needs`;
  const against = row.value === undefined ? ` ${row.against}` : '';
  const target = row.target === undefined ? '' : ` (≤ ${short(row.target)})`;
  return `${row.name}: ${short(row.value ?? row.ratio)}${unitOf(row)}${against}${spreadOf(row)}${target}`;
}

function ns(value) {
  if (value === undefined) return '';
  if (value < 1000) return `${value.toFixed(1)} ns`;
  return value < 1e6 ? `${(value / 1000).toFixed(2)} µs` : `${(value / 1e6).toFixed(2)} ms`;
}

export function line(row) {
  const measured =
    row.bring === undefined
      ? `${short(row.measured)}${unitOf(row)}${spreadOf(row)}`
      : `after \`${row.bring}\``;
  const target = row.target === undefined ? '–' : `≤ ${Number(row.target.toFixed(3))}${unitOf(row)}`;
  return `| ${row.name} | ${row.against ?? '–'} | ${ns(row.oursNs)} | ${ns(row.theirsNs)} | ${measured} | ${target} | ${row.status} |`;
}

const namesIn = (lines) => lines.map((one) => one.slice(2, one.indexOf(' |')));

/**
 * The page as it was, with the rows that were measured in the place of their last ones. A row that could not be measured here stands
 * as it was, or says that it was not.
 * @param {{ isPart: boolean }} how not all cases were asked for: what else stands there stays
 */
export function merged(old, table, explained, { isPart }) {
  const lines = old.split('\n').filter((one) => /^\| (?!what |---)/.test(one));
  const names = namesIn(lines);
  const measured = new Map(table.filter(({ bring }) => bring === undefined).map((row) => [row.name, row]));
  const unmeasured = new Set(table.filter(({ bring }) => bring !== undefined).map(({ name }) => name));
  const isKept = (name) => isPart || unmeasured.has(name);
  const kept = lines.flatMap((one, at) => {
    const row = measured.get(names[at]);
    return row ? [line(row)] : isKept(names[at]) ? [one] : [];
  });
  const isNew = ({ name }) => !names.includes(name);
  const explainedThere = names.flatMap((name) =>
    !measured.has(name) && isKept(name) && old.includes(`\n**${name}**: `)
      ? [{ name, why: explained[name] ?? '' }]
      : [],
  );
  return markdown([...kept, ...table.filter(isNew).map(line)], [...table, ...explainedThere]);
}

export function markdown(lines, list) {
  const memory = Math.round(totalmem() / 2 ** 30);
  return `# Benchmarks

Ratios measured in one run, contenders interleaved, each case in a process of its own: \`npm run bench\`. Absolute times are
of one machine and one day; the ratios are what we promise. Measured is the median of at least seven rounds, in brackets the
lowest and the highest. \`npm run bench:peers\` brings the programs of others that some rows need; \`npm run bench -- --check\` ends
with 1 when a median misses its target, explained or not.

Node ${process.version}, ${cpus().length} × ${cpus()[0].model.trim()}, ${memory} GiB, ${process.platform}; ${new Date().toISOString().slice(0, 10)}.

| what | against | ours | theirs | measured | target | status |
| --- | --- | --- | --- | --- | --- | --- |
${lines.join('\n')}

![What an agent waits for at each event](plots/bridge.svg)
![An event through the daemon, by the size of its payload](plots/payload.svg)
![One fire, by the number of hooks it asks](plots/hooks.svg)
![One command hook, by the heap of the host](plots/heap.svg)
${list
  .filter(({ why }) => why !== '')
  .map((row) => `\n**${row.name}**: ${row.why}`)
  .join('\n')}
`;
}
