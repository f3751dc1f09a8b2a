/**
 * What `npm run test:mutation` changes, and which tests must notice: one row per area. Paths are below `packages/anyhook`.
 *
 * @typedef {object} Area
 * @property {string} what in words, for the table
 * @property {readonly string[]} mutate
 * @property {readonly string[]} tests
 */

/** @type {Readonly<Record<string, Area>>} */
export const AREAS = {
  merge: {
    what: 'merging, lowering, deciding',
    mutate: ['src/engine/{tally,lower}.ts', 'src/events/proceed.ts'],
    tests: [
      'src/engine/{approval,composition,failure,fire,lower,tally}.test.ts',
      'src/events/proceed.test.ts',
    ],
  },
  select: {
    what: 'selecting hooks, matchers',
    mutate: [
      'src/engine/{plan,fit}.ts',
      'src/agents/claude-code/dialect/matcher.ts',
      'src/agents/shared/command-shaped/matcher.ts',
      'src/agents/{gemini-cli,codex}/dialect/matcher.ts',
    ],
    tests: [
      'src/engine/{plan,plan-groups,plan-subject,fit}.test.ts',
      'src/agents/shared/command-shaped/matcher.test.ts',
      'src/agents/{claude-code,codex,gemini-cli}/dialect/matcher.test.ts',
    ],
  },
  trust: {
    what: 'trust: gate, store, hashes, records',
    mutate: ['src/settings/trust/{gate,hash,store,record,read-once}.ts'],
    tests: [
      'src/settings/trust/{gate,gate-diff,gate-named,hash,hash-form,read-once,record,store,store-problems}.test.ts',
    ],
  },
  answers: {
    what: 'readers of answers',
    mutate: [
      'src/events/printout.ts',
      'src/agents/anyhook/dialect/{read-reply,read-answer,read-effect}.ts',
      'src/agents/claude-code/dialect/{output,effects-of,judgement,read-json}.ts',
      'src/agents/shared/command-shaped/read-reply.ts',
      'src/agents/{codex,gemini-cli,goose}/dialect/read-reply.ts',
      'src/agents/opta/dialect/output.ts',
    ],
    tests: [
      'src/events/printout.test.ts',
      'src/agents/shared/command-shaped/read-reply.test.ts',
      'src/agents/{anyhook,codex,gemini-cli,goose}/dialect/read-reply.test.ts',
      'src/agents/anyhook/dialect/read-answer.test.ts',
      'src/agents/{claude-code,goose,opta}/dialect/output.test.ts',
      'src/agents/claude-code/dialect/answers.test.ts',
    ],
  },
  bash: {
    what: 'judge of shell commands',
    mutate: ['src/shell/{judge-shell,matches-shell,rule,analyse,glob,opaque,unwrap}.ts'],
    tests: [
      'src/shell/{analyse,glob,judge-shell,limits,matches-shell,rule,settings,unwrap,unwrap-names,unwrap-places,unwrap-whole}.test.ts',
    ],
  },
};

/**
 * Changes that nobody can see from outside, each with its reason: they are not counted. `was` is the source as it stands in
 * its file, `now` what Stryker put in its place.
 *
 * @type {readonly { readonly file: string, readonly was: string, readonly now: string, readonly why: string }[]}
 */
export const EQUIVALENT = [
  {
    file: 'src/engine/lower.ts',
    was: 'changed.length === 0',
    now: 'false',
    why: 'without a change nothing is added either, and the same value comes out by the longer way',
  },
];
