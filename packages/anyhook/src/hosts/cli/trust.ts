import { createInterface } from 'node:readline/promises';
import { show } from '../../canon/problems.ts';
import { openTrustStore } from '../../settings/trust/store.ts';
import { brief, safe } from '../../views/safe.ts';
import { foldersOf, groundOf } from '../library/folders.ts';
import type { Examined } from '../library/trusted.ts';
import { paint, print, printJson } from './print.ts';
import { survey } from './survey.ts';
import { label } from '../../canon/hook.ts';
import { UsageError } from './usage-error.ts';

interface Options {
  readonly cwd?: string;
  readonly json?: boolean;
}

/** Exit 1 when something waits for trust. */
export async function trustList(options: Options): Promise<number> {
  const hooks = await survey(options.cwd);
  await hooks.close();
  const stored = openTrustStore(foldersOf(groundOf(options)).trust);
  const waiting = hooks.examined.filter(({ judgement }) => judgement.state !== 'trusted');
  if (options.json === true) printJson({ project: hooks.examined.map(plainExamined), stored: stored.list() });
  else {
    print([
      paint('bold', 'This project asks for'),
      ...(hooks.examined.length === 0 ? ['  nothing'] : hooks.examined.flatMap(shown)),
    ]);
    const others = stored
      .list()
      .filter((record) => !hooks.examined.some(({ judgement }) => judgement.hash === record.hash));
    if (others.length > 0)
      print([
        '',
        paint('bold', 'Trusted elsewhere, or before'),
        ...others.map((r) => `  ${r.hash}  ${r.at}  ${brief(r.settings, 60)}`),
      ]);
    for (const problem of stored.problems)
      print([`${paint('red', 'error')}: ${problem.file}: ${problem.message} ${problem.remedy ?? ''}`]);
  }
  return waiting.length > 0 ? 1 : 0;
}

/** Naming a hash is consent to exactly that content; without one, each is shown and asked for, and no is the default. */
export async function trustAdd(hashes: readonly string[], options: Options): Promise<number> {
  if (hashes.length === 0 && !process.stdin.isTTY)
    throw new UsageError(
      'trust add: without a terminal nobody can be asked; name the hash that anyhook trust list shows',
    );
  const hooks = await survey(options.cwd, hashes);
  await hooks.close();
  for (const hash of hashes)
    if (!hooks.examined.some(({ judgement }) => judgement.hash === hash))
      throw new UsageError(`trust add: nothing in this project has the hash ${hash}; see anyhook trust list`);
  const chosen: Examined[] = [];
  for (const one of hooks.examined)
    if (hashes.length > 0 ? hashes.includes(one.judgement.hash) : await wanted(one)) chosen.push(one);
  const refused = chosen.flatMap(({ entry }) => {
    const added = hooks.grant(entry);
    return added.kind === 'failed' ? [added.problem] : [];
  });
  for (const problem of refused) process.stderr.write(`anyhook: trust add: ${show(problem)}\n`);
  const trusted = chosen.length - refused.length;
  if (options.json === true) printJson({ trusted: chosen.map(({ judgement }) => judgement.hash), refused });
  else print([trusted === 0 ? 'Nothing was trusted.' : `Trusted ${trusted}.`]);
  return refused.length > 0 ? 1 : 0;
}

const wanted = async (one: Examined): Promise<boolean> =>
  one.judgement.state !== 'trusted' && (await consents(one));

export async function trustRevoke(hashes: readonly string[], options: Options): Promise<number> {
  const store = openTrustStore(foldersOf(groundOf({})).trust);
  const gone = hashes.filter((hash) => store.revoke(hash));
  const unknown = hashes.filter((hash) => !gone.includes(hash));
  if (options.json === true) printJson({ revoked: gone, unknown });
  else
    print([...gone.map((hash) => `Revoked ${hash}.`), ...unknown.map((hash) => `${hash} was not trusted.`)]);
  return unknown.length > 0 ? 1 : 0;
}

async function consents(one: Examined): Promise<boolean> {
  print(['', ...shown(one), ...contents(one)]);
  const ask = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await ask.question('Trust exactly this? [y/N] ');
  ask.close();
  return /^y(es)?$/i.test(answer.trim());
}

/** What will run, from the very bytes that will run. */
function contents({ judgement }: Examined): string[] {
  if (judgement.diff !== undefined) return ['  changed since it was trusted:', ...indent(judgement.diff)];
  return judgement.cover.files.flatMap(({ name, bytes }) => [
    `  ${paint('cyan', safe(name))}`,
    ...indent(bytes.toString('utf8')),
  ]);
}
const indent = (text: string): string[] =>
  safe(text)
    .split('\n')
    .map((line) => `    ${line}`);

function shown({ hook, file, line, judgement }: Examined): string[] {
  const { state, hash, cover } = judgement;
  const word = state === 'trusted' ? paint('green', state) : paint('yellow', state);
  const what =
    hook === undefined
      ? `module ${safe(file)}`
      : `[${hook.dialect}] ${hook.on} ${hook.matcher ?? ''} ${safe(label(hook))}`;
  return [
    `  ${word}  ${what}`,
    `    ${paint('dim', `${file}:${line}`)}`,
    `    ${hash}`,
    ...cover.obstacles.map((text) => `    ${paint('red', text)}`),
    ...cover.files.map(({ name }) => `    covers ${safe(name)}`),
  ];
}

const plainExamined = ({ hook, file, line, judgement }: Examined) => ({
  file,
  line,
  hook: hook?.id,
  state: judgement.state,
  hash: judgement.hash,
  files: judgement.cover.files.map(({ name, sha256 }) => ({ name, sha256 })),
  obstacles: judgement.cover.obstacles,
});
