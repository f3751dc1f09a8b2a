// `npm run bench [-- --write | --check] [case…]`: each case in a process of its own; with --write, docs/benchmarks.md, where
// the rows of cases that were not measured stand as they were; with --check, exit 1 for every target that a median misses,
// explained or not.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('-'));
const names = readdirSync(here('cases'))
  .map((file) => file.replace(/\.mjs$/, ''))
  .filter((name) => wanted.length === 0 || wanted.includes(name));

/** How the rows begin of cases whose subject is not installed here. */
const absent = [];
const rows = names.flatMap((name) => {
  const code = `import(${JSON.stringify(new URL(`cases/${name}.mjs`, import.meta.url).href)}).then((m) => { process.stdout.write('\\n@@' + JSON.stringify(m.default) + '\\n'); process.exit(0); });`;
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['--expose-gc', '--input-type=module', '-e', code],
    { encoding: 'utf8', maxBuffer: 1e8 },
  );
  const line = stdout.split('\n').find((text) => text.startsWith('@@'));
  if (status !== 0 || line === undefined) throw new Error(`${name} failed:\n${stderr}`);
  const said = JSON.parse(line.slice(2));
  if (said.absent !== undefined) {
    process.stderr.write(`${name}: what it measures is not installed; its rows stand as they were\n`);
    absent.push(said.absent);
    return [];
  }
  const { also, ...first } = said;
  const found = [first, ...[also ?? []].flat()];
  for (const row of found) process.stderr.write(`${text(row)}\n`);
  return found.map((row) => ({ ...row, case: name }));
});

const explained = JSON.parse(readFileSync(here('explained.json'), 'utf8'));
const table = rows.map((row) => {
  const measured = row.value ?? row.ratio;
  const met = measured <= row.target;
  const why = explained[row.name];
  if (row.target === undefined) return { ...row, measured, status: 'measured', why: why ?? '' };
  return {
    ...row,
    measured,
    status: met ? 'met' : why ? 'explained' : 'missed',
    why: met ? '' : (why ?? ''),
  };
});
const isPart = wanted.length > 0 || absent.length > 0;
process.stdout.write(markdown(table.map(line), table));
if (process.argv.includes('--write')) {
  const [old, ...sections] = readFileSync(here('../docs/benchmarks.md'), 'utf8').split(/^(?=## )/m);
  // What other programs measured stands below, in sections of its own.
  writeFileSync(
    here('../docs/benchmarks.md'),
    [isPart ? merged(old) : markdown(table.map(line), table), ...sections].join('\n'),
  );
}
const failing = process.argv.includes('--check') ? ['missed', 'explained'] : ['missed'];
process.exitCode = table.some(({ status }) => failing.includes(status)) ? 1 : 0;

function text(row) {
  return row.value === undefined
    ? `${row.name}: ${row.ratio.toFixed(2)} × ${row.against}${row.target === undefined ? '' : ` (≤ ${row.target})`}`
    : `${row.name}: ${row.value.toFixed(2)} ${row.unit} (≤ ${row.target})`;
}
function ns(value) {
  return value === undefined
    ? ''
    : value < 1000
      ? `${value.toFixed(1)} ns`
      : value < 1e6
        ? `${(value / 1000).toFixed(2)} µs`
        : `${(value / 1e6).toFixed(2)} ms`;
}
function line(row) {
  const unit = row.unit ? ` ${row.unit}` : ' ×';
  const target = row.target === undefined ? '–' : `≤ ${row.target}${unit}`;
  return `| ${row.name} | ${row.against ?? '–'} | ${ns(row.oursNs)} | ${ns(row.theirsNs)} | ${row.measured.toFixed(2)}${unit} | ${target} | ${row.status} |`;
}
/** The page as it was, with the rows that were measured in the place of their last ones. */
function merged(old) {
  const lines = old.split('\n').filter((text) => /^\| (?!what |---)/.test(text));
  const names = lines.map((text) => text.slice(2, text.indexOf(' |')));
  const known = new Map(table.map((row) => [row.name, row]));
  const isKept = (name) => wanted.length > 0 || absent.some((start) => name.startsWith(start));
  const kept = lines.flatMap((text, at) => {
    const row = known.get(names[at]);
    return row ? [line(row)] : isKept(names[at]) ? [text] : [];
  });
  const added = table.filter(({ name }) => !names.includes(name)).map(line);
  const explainedThere = names.flatMap((name) =>
    !known.has(name) && isKept(name) && old.includes(`\n**${name}**: `)
      ? [{ name, why: explained[name] ?? '' }]
      : [],
  );
  return markdown([...kept, ...added], [...table, ...explainedThere]);
}
function markdown(lines, list) {
  const memory = Math.round(totalmem() / 2 ** 30);
  return `# Benchmarks

Ratios measured in one run, contenders interleaved, each case in a process of its own: \`npm run bench\`. Absolute times are
of one machine and one day; the ratios are what we promise.

Node ${process.version}, ${cpus().length} × ${cpus()[0].model.trim()}, ${memory} GiB, ${process.platform}; ${new Date().toISOString().slice(0, 10)}.

| what | against | ours | theirs | measured | target | status |
| --- | --- | --- | --- | --- | --- | --- |
${lines.join('\n')}

![What an agent waits for at each event](plots/bridge.svg)
![An event through the engine, by the size of its payload](plots/payload.svg)
![One fire, by the number of hooks it asks](plots/hooks.svg)
![One command hook, by the heap of the host](plots/heap.svg)
${list
  .filter(({ why }) => why !== '')
  .map((row) => `\n**${row.name}**: ${row.why}`)
  .join('\n')}
`;
}
