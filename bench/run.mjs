// `npm run bench [-- --write | --check] [case…]`: each case in a process of its own; with --write, docs/benchmarks.md, where
// the rows of cases that were not measured stand as they were; with --check, exit 1 for every target that a median misses,
// explained or not. `--cases <folder>` measures those of another folder.

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { judged, line, markdown, merged, missesIn, rowsOf, text } from './table.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const { values: options, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    write: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    cases: { type: 'string', default: here('cases') },
  },
});
const names = readdirSync(options.cases)
  .map((file) => file.replace(/\.mjs$/, ''))
  .filter((name) => wanted.length === 0 || wanted.includes(name));

const rows = names.flatMap((name) => {
  const file = pathToFileURL(join(options.cases, `${name}.mjs`)).href;
  const code = `import(${JSON.stringify(file)}).then((m) => { process.stdout.write('\\n@@' + JSON.stringify(m.default) + '\\n'); process.exit(0); });`;
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['--expose-gc', '--input-type=module', '-e', code],
    { encoding: 'utf8', maxBuffer: 1e8 },
  );
  const said = stdout.split('\n').find((one) => one.startsWith('@@'));
  if (status !== 0 || said === undefined) throw new Error(`${name} failed:\n${stderr}`);
  const found = rowsOf(name, JSON.parse(said.slice(2)));
  for (const row of found) process.stderr.write(`${text(row)}\n`);
  return found;
});

const explained = JSON.parse(readFileSync(here('explained.json'), 'utf8'));
const table = rows.map((row) => judged(row, explained));
process.stdout.write(markdown(table.map(line), table));
if (options.write) {
  const page = here('../docs/benchmarks.md');
  // What other programs measured stands below, in sections of its own.
  const [old, ...sections] = readFileSync(page, 'utf8').split(/^(?=## )/m);
  const isPart = wanted.length > 0;
  writeFileSync(page, [merged(old, table, explained, { isPart }), ...sections].join('\n'));
}
const misses = missesIn(table, { isCheck: options.check });
for (const row of misses) process.stderr.write(`${row.status}: ${text(row)}\n`);
process.exitCode = misses.length > 0 ? 1 : 0;
