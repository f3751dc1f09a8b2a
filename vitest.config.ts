import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const EVERYTHING = ['packages/*/src/**/*.test.ts', 'packages/*/test/**/*.test.ts', 'test/**/*.test.ts'];
/** Suites that need more than Node, npm and git, or minutes: each has a script of its own. */
const ELSEWHERE = [
  '**/node_modules/**',
  '**/dist/**',
  '**/clients/**',
  '**/first-minutes/**',
  '**/peers/**',
  '**/guards/**',
  'packages/anyhook/test/{faults,no-proc,windows}/**',
  '**/wild/**',
  '**/terminal/**',
  'packages/anyhook/test/view/**',
  'packages/fleet/test/server/**',
];

/** Translators, tables and the road: no process, nothing global. What shares one world saves its start. */
const PURE = [
  'packages/anyhook/src/{events,shell,engine,render}/**/*.test.ts',
  'packages/anyhook/src/agents/*/dialect/**/*.test.ts',
  'packages/anyhook/src/agents/shared/**/*.test.ts',
  'test/rooms.test.ts',
];
/** Attacks, races, engines that are killed, every fixture once more by another way, packages as published: `npm run test:deep`. */
const DEEP = [
  'packages/anyhook/test/trust/**/*.test.ts',
  'packages/anyhook/test/daemon/{faults,same}.test.ts',
  'packages/anyhook/test/mcp/{by-hand,faults,strays,everything}.test.ts',
  'packages/anyhook/test/laws/faults.test.ts',
  'packages/anyhook/test/recipes/**/*.test.ts',
  'packages/anyhook/test/{answers,fire-limits,fire-stray-errors,hostile-text,other-user,promises}.test.ts',
  'packages/anyhook/src/**/{bad-packages,hostile,isolated-hostile,race,stray-errors}.test.ts',
  'packages/anyhook/src/engine/any-spelling.test.ts',
  'packages/anyhook/src/journal/kill.test.ts',
  'test/{add-from-npm,bundlers,embed,new-agent,package}.test.ts',
];
/**
 * Properties, random programs, and what is repeated over many agents, transports or stories: a part of them every day, all of
 * them with the deep suite. What is said outside counts.
 */
const SAMPLED = [
  'packages/anyhook/src/events/{changes,document,lexicon,pattern,salvage,wildcard}.test.ts',
  'packages/anyhook/src/shell/differential.test.ts',
  'packages/anyhook/src/agents/anyhook/dialect/{fuzz,payload,write-reply}.test.ts',
  'packages/anyhook/src/journal/{redacting-writer,verify}.test.ts',
  'packages/anyhook/src/runners/isolated/open-isolated.test.ts',
  'packages/anyhook/src/settings/trust/{hash,trusted-files}.test.ts',
  'packages/anyhook/test/laws/laws.test.ts',
  'packages/anyhook/test/mcp/hooks.test.ts',
  'packages/anyhook/test/{quick-fire,stories}.test.ts',
  'packages/anyhook/test/custom-agents/custom-agent.test.ts',
  'test/drift.test.ts',
];
const FEWER = { RUNS: '400', ANYHOOK_FUZZ_RUNS: '4000', ANYHOOK_BASH_RUNS: '100', ANYHOOK_SAMPLE: '1' };
const env = {
  ...FEWER,
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => name in FEWER)),
};

/** Ten seconds and more, most of it real processes. */
const SLOW = [
  'packages/anyhook/src/shell/{corpus,differential}.test.ts',
  'packages/anyhook/src/engine/watch.test.ts',
  'packages/anyhook/src/agents/anyhook/dialect/fuzz.test.ts',
  'packages/agent/src/{run-agent,background,demo}.test.ts',
  'packages/anyhook/src/**/{load-isolated,isolate-plugins}.test.ts',
  'packages/anyhook/src/runners/{command,isolated,mcp}/*.test.ts',
  'packages/anyhook/src/agents/opta/api/{scripts,settings,timeout}.test.ts',
  'packages/anyhook/src/agents/claude-code/api/public-hooks.test.ts',
  'packages/anyhook/test/**/*.test.ts',
  'packages/client/test/*.test.ts',
  'test/snippets.test.ts',
  // They change the environment that a shared process was once started with: each in a world of its own.
  'packages/anyhook/src/agents/goose/api/contrib.test.ts',
  'packages/anyhook/src/agents/opencode/api/{examples,published-plugins}.test.ts',
];

/** Half a minute and more each, the longest first: begun last, one of them would be waited for alone. */
const LONGEST = [
  'test/daemon/faults',
  'test/daemon/same',
  'test/stories',
  'isolated/open-isolated',
  'door/untrusted',
  'laws/faults',
  'foreign-modules/hostile',
  'src/run-agent',
  'laws/laws',
  'command/host',
  'test/hostile-text',
].map((name) => `${name}.test.ts`);

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}`));
      return at === -1 ? LONGEST.length : at;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

// No test talks to anybody outside; reading these costs every Node that is started more than all the rest of its start.
delete process.env['NODE_EXTRA_CA_CERTS'];

export default defineConfig({
  test: {
    // More than there are cores: much of the time goes to deadlines and processes that are waited for.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    testTimeout: 60_000,
    hookTimeout: 60_000,
    sequence: { sequencer: LongestFirst },
    // Programs that tests start load our sources: what one of them has compiled, the next ones find.
    env: { JITI_FS_CACHE: join(import.meta.dirname, 'node_modules/.cache/jiti') },
    projects: [
      { extends: true, test: { name: 'deep', include: [...DEEP, ...SAMPLED], exclude: ELSEWHERE } },
      { extends: true, test: { name: 'slow', include: SLOW, exclude: [...ELSEWHERE, ...DEEP], env } },
      {
        extends: true,
        test: {
          name: 'process',
          include: EVERYTHING,
          exclude: [...ELSEWHERE, ...DEEP, ...PURE, ...SLOW],
          isolate: false,
          env,
        },
      },
      {
        extends: true,
        test: {
          name: 'pure',
          include: PURE,
          exclude: [...ELSEWHERE, ...DEEP, ...SLOW],
          isolate: false,
          env,
          pool: 'threads',
        },
      },
    ],
  },
});
