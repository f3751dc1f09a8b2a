import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { print, printJson } from '../console/print.ts';
import { UsageError } from '../console/usage.ts';
import type { Define } from './commands.ts';
import { SET_NAMES, writeSet } from './sets.ts';

export const define: Define = (command, done) => {
  command
    .argument('[file]', 'where the hook goes', join('.anyhook', 'hooks', 'guard.ts'))
    .option('--set <name>', `a ready-made set of hooks with its cases instead: ${SET_NAMES.join(', ')}`)
    .option('--json', 'as JSON')
    .action((file: string, options: { json?: boolean; set?: string }) =>
      done(options.set === undefined ? init(file, options) : initSet(options.set, options)),
    );
};

function initSet(name: string, { json }: { readonly json?: boolean }): number {
  const { files, next } = writeSet(name);
  if (json === true) printJson({ files });
  else print([...files.map((file) => `Wrote ${file}`), ...next.map((command) => `Next: ${command}`)]);
  return 0;
}

const ENDINGS = ['.ts', '.js', '.mjs'];

/** A typed hook and a case beside it. What is there already is never touched. */
export function init(file: string, { json }: { readonly json?: boolean }): number {
  const ending = extname(file);
  if (!ENDINGS.includes(ending))
    throw new UsageError(`init: ${file} must end in ${ENDINGS.join(', ')}: only those are loaded as hooks`);
  const hook = resolve(file);
  const name = basename(hook, ending);
  const cases = join(dirname(hook), `${name}.test.yaml`);
  for (const one of [hook, cases])
    if (existsSync(one))
      throw new UsageError(`init: ${relative(process.cwd(), one)} is there already; it stays as it is`);
  mkdirSync(dirname(hook), { recursive: true });
  writeFileSync(hook, HOOK, { flag: 'wx' });
  writeFileSync(cases, CASES.replaceAll('%file%', basename(hook)), { flag: 'wx' });
  const shown = [hook, cases].map((one) => relative(process.cwd(), one));
  if (json === true) printJson({ hook: shown[0], cases: shown[1] });
  else
    print([
      `Wrote ${shown[0]}`,
      `Wrote ${shown[1]}`,
      `Next: anyhook test ${shown[1]}`,
      shown[0]!.startsWith('.anyhook')
        ? 'To let it act in this project: anyhook trust add'
        : 'It acts once it lies in ~/.config/anyhook/hooks, or in .anyhook/hooks of a project.',
    ]);
  return 0;
}

const HOOK = `import { defineHook, deny } from 'anyhook';

/** Keeps the agent from deleting whole folders by force. */
export default defineHook({
  on: 'tool.before',
  match: 'shell',
  name: 'no-rm-rf',
  run({ payload }) {
    const { command = '' } = payload.input;
    if (/\\brm\\s+-(?=\\w*r)(?=\\w*f)\\w+/.test(String(command)))
      return deny('rm -rf is for a person to run');
  },
});
`;

const CASES = `# anyhook test: what the hook is asked, and what must come of it.
hook: ./%file%
cases:
  - name: rm -rf is refused
    event: tool.before
    tool: shell
    input: { command: rm -rf build }
    expect: deny

  - name: a harmless command passes
    event: tool.before
    tool: shell
    input: { command: ls -la }
    expect: none
`;
