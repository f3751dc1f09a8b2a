// What other agents' own runners take for ten handlers, and what ours takes: each in a process of its own.

import { fileURLToPath } from 'node:url';
import { apart } from '../measure.mjs';
import { peer } from '../peers.mjs';

const file = fileURLToPath(new URL('../runners.mjs', import.meta.url));
const THEIRS = [
  { agent: 'OpenCode', needs: 'effect', name: 'opencode', target: 1, surface: 'opencodeSurface' },
  { agent: 'oh-my-pi', needs: 'oh-my-pi', name: 'ohMyPi', target: 1, surface: 'ohMyPiSurface' },
  { agent: 'Gemini CLI', needs: 'Gemini CLI', name: 'geminiCli', target: 1 },
];
const KINDS = ['synchronous', 'asynchronous'];
/** Rounds of some tens of milliseconds. */
const TIMES = { ours: 20_000, surface: 1500, theirs: 1000 };

const versionOf = (title) => peer(title)?.version ?? 'not here';
const against = ({ agent, needs }) =>
  agent === needs
    ? `${agent} ${versionOf(needs)}'s own runner`
    : `${agent}'s own loop, on ${needs} ${versionOf(needs)}`;
const rows = THEIRS.flatMap((one) => [
  ...KINDS.map((kind) => ({
    needs: one.needs,
    name: `ten ${kind} handlers of a tool call, beside ${one.agent}`,
    against: against(one),
    target: one.target,
    ours: { file, name: 'anyhook', word: kind, times: TIMES.ours },
    theirs: { file, name: one.name, word: kind, times: TIMES.theirs },
  })),
  ...(one.surface === undefined
    ? []
    : [
        {
          needs: one.needs,
          name: `ten modules of ${one.agent}, unchanged, in our surface for them`,
          against: against(one),
          ours: { file, name: one.surface, word: 'asynchronous', times: TIMES.surface },
          theirs: { file, name: one.name, word: 'asynchronous', times: TIMES.theirs },
        },
      ]),
]);

const measured = [];
const absent = [];
for (const { needs, ours, theirs, ...row } of rows)
  if (peer(needs) === undefined) absent.push(row);
  else measured.push({ ...row, ...(await apart(ours, theirs)) });

export default { rows: measured, absent, bring: 'npm run bench:peers' };
