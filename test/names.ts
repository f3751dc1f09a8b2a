/** Checks exported names of a package: one meaning per name, and no type named by a bare participle. */

import { isFixture, isTest, type Tree } from './rooms.ts';

/** Parts of the dialect contract, which every dialect exports once under the same name. */
const DIALECT_PARTS = new Set([
  'can',
  'config',
  'failure',
  'GAPS',
  'moduleFinder',
  'otherTools',
  'output',
  'packs',
  'payload',
  'places',
  'read', // Belongs to write: the syntax of its documents.
  'readMatcher',
  'readReply',
  'sharing',
  'tools',
  'words',
  'write',
  'writeReply',
]);
/** Parts of an agent record, which every agent exports once. */
const AGENT_PARTS = new Set(['bridge', 'can', 'headless', 'managedTier', 'usageReader']);
/** Names that may be declared more than once, with the reason. */
const SAME_BY_RIGHT: Readonly<Record<string, string>> = {
  define: 'every command of the command line declares its own',
  HookContext: 'a word of Opta, of the Agent SDK and of oh-my-pi: their code names it',
  HookError: 'a word of the Agent SDK and of oh-my-pi',
  HookEvent: 'a word of Opta, of the Agent SDK and of oh-my-pi',
  HOOK_EVENTS: 'a word of the Agent SDK and of oh-my-pi',
  Hooks: 'ours, and OpenCode calls what a plugin returns so',
  isHookEvent: 'goes with HOOK_EVENTS',
  load: 'every surface has a loader of its modules',
  Message: 'a word of the Agent SDK and of oh-my-pi',
  open: 'what a module that is loaded by its path begins with, in an agent or in a process of ours',
  UserMessage: 'a word of the Agent SDK and of oh-my-pi',
};

/** Parent folders, and the names that each of their folders declares. */
const PARTS: readonly (readonly [RegExp, ReadonlySet<string>])[] = [
  [/^agents\/.+\//, new Set([...DIALECT_PARTS, ...AGENT_PARTS])],
];

const EXPORT =
  /^export (?:declare )?(?:abstract )?(?:async )?(function\*?|class|const|let|type|interface) (\w+)/gm;
const isType = (keyword: string): boolean => ['class', 'type', 'interface'].includes(keyword);

interface Declared {
  readonly name: string;
  readonly keyword: string;
  readonly file: string;
}

/** Declarations without re-exports of entry points. */
const declaredIn = (tree: Tree): Declared[] =>
  [...tree]
    .filter(([file]) => !isTest(file) && !isFixture(file) && file !== 'index.ts')
    .flatMap(([file, text]) =>
      [...text.matchAll(EXPORT)].map(([, keyword, name]) => ({ name: name!, keyword: keyword!, file })),
    );

/** Names that several files declare, with the number of files. */
export function sharedNames(tree: Tree): Record<string, number> {
  const places = new Map<string, Set<string>>();
  for (const { name, file } of declaredIn(tree)) {
    if (Object.hasOwn(SAME_BY_RIGHT, name)) continue;
    const part = PARTS.find(([folder, names]) => folder.test(file) && names.has(name));
    places.set(name, (places.get(name) ?? new Set()).add(part === undefined ? file : 'a part'));
  }
  const counts = [...places].map(([name, files]) => [name, files.size] as const);
  return Object.fromEntries(counts.filter(([, count]) => count > 1));
}

const IRREGULAR =
  /^(?:Bound|Broken|Brought|Built|Caught|Chosen|Cut|Drawn|Found|Given|Heard|Held|Hidden|Kept|Known|Left|Lost|Made|Meant|Met|Read|Said|Seen|Sent|Shown|Spoken|Taken|Thrown|Told|Unread|Written)$/;
/** Nouns and verbs that end like a participle. */
const NO_PARTICIPLES = new Set(['Deed', 'Feed', 'Need', 'Proceed', 'Seed', 'Speed']);

/** Types whose whole name is a participle: `Asked` does not say what was asked. */
export const participles = (tree: Tree): string[] => [
  ...new Set(
    declaredIn(tree)
      .filter(({ keyword, name }) => isType(keyword) && !NO_PARTICIPLES.has(name))
      .map(({ name }) => name)
      .filter((name) => IRREGULAR.test(name) || /^[A-Z][a-z]*ed$/.test(name)),
  ),
];
