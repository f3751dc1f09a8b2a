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
    mutate: ['src/engine/{tally,lower}.ts', 'src/canon/proceed.ts'],
    tests: [
      'src/engine/{approval,composition,failure,fire,lower,tally}.test.ts',
      'src/canon/proceed.test.ts',
    ],
  },
  select: {
    what: 'selecting hooks, matchers',
    mutate: [
      'src/engine/{plan,fit}.ts',
      'src/dialects/claude-code/matcher.ts',
      'src/dialects/{command-shaped,gemini-cli,codex}/matcher.ts',
    ],
    tests: [
      'src/engine/{plan,plan-groups,plan-subject,fit}.test.ts',
      'src/dialects/{claude-code,codex,command-shaped,gemini-cli}/matcher.test.ts',
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
      'src/canon/printout.ts',
      'src/dialects/anyhook/{read-reply,read-answer,read-effect}.ts',
      'src/dialects/claude-code/{output,effects-of,judgement,read-json}.ts',
      'src/dialects/{codex,gemini-cli,goose,command-shaped}/read-reply.ts',
      'src/dialects/opta/output.ts',
    ],
    tests: [
      'src/canon/printout.test.ts',
      'src/dialects/{anyhook,codex,command-shaped,gemini-cli,goose}/read-reply.test.ts',
      'src/dialects/anyhook/read-answer.test.ts',
      'src/dialects/{claude-code,goose,opta}/output.test.ts',
      'src/dialects/claude-code/answers.test.ts',
    ],
  },
  bash: {
    what: 'judge of shell commands',
    mutate: ['src/canon/bash/{judge-shell,matches-shell,rule,commands-in,glob,opaque,unwrap}.ts'],
    tests: [
      'src/canon/bash/{commands-in,glob,judge-shell,limits,matches-shell,rule,settings,unwrap,unwrap-names,unwrap-places,unwrap-whole}.test.ts',
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
