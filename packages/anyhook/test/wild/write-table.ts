/** The suite's results as docs/wild.md. Only a whole run is written down. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { WILD, type WildPackage } from './packages.ts';
import type { Ended, Told } from './try-package.ts';

export interface Row {
  readonly wild: WildPackage;
  readonly home: Told | undefined;
  readonly ours: Told | undefined;
  readonly fired: Ended;
  readonly agent: Ended & { readonly ran: boolean };
}

const PAGE = fileURLToPath(new URL('../../../../docs/wild.md', import.meta.url));

export function writeTable(rows: readonly Row[]): void {
  if (rows.length !== WILD.length) return;
  writeFileSync(
    PAGE,
    `# The wild

Published plugins and extensions, unmodified, at pinned versions, without their scripts: written by \`npm run test:wild\` on
${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}. At home is pi's own loader on Node 22 for pi, a plain import (on Bun
where the package is TypeScript) for OpenCode. One moment of each kind it listens to is put to both; \`fire\` and the agent
run with each in its agent's own settings.

| package | version | of | registers | answers as at home | \`fire\` | our agent | what does not work, and whose fault |
| --- | --- | --- | --- | --- | --- | --- | --- |
${rows.map(line).join('\n')}

Of these, ${rows.filter(({ ours }) => ours !== undefined && (ours.errors ?? []).length === 0).length} of ${rows.length} load without a problem.
`,
  );
}

function line({ wild, home, ours, fired, agent }: Row): string {
  const same = (home?.answers ?? []).filter((answer, index) =>
    isDeepStrictEqual(answer, ours?.answers[index]),
  );
  const registered = Object.entries(ours?.registered ?? {})
    .filter(([, names]) => names.length > 0)
    .map(([kind, names]) => `${names.length} ${kind}`)
    .join(', ');
  const isSame = isDeepStrictEqual(home?.registered, ours?.registered);
  return `| ${[
    wild.name,
    wild.version,
    wild.kind === 'pi' ? 'pi' : 'OpenCode',
    `${registered || 'nothing'}${isSame ? '' : ' (other than at home)'}`,
    `${same.length} of ${home?.answers.length ?? 0}`,
    fired.code === 2 ? 'refuses' : fired.code === 0 ? 'passes' : `exit ${fired.code}`,
    agent.code === 0 ? (agent.ran ? 'runs and ends' : 'refuses and ends') : `exit ${agent.code}`,
    wild.lacks ?? (ours?.errors?.[0] === undefined ? '' : cell(ours.errors[0])),
  ].join(' | ')} |`;
}

const cell = (text: string): string =>
  text
    .replaceAll(/\/\S+\/node_modules\//g, '')
    .replaceAll(/[|\n]/g, ' ')
    .slice(0, 160);
