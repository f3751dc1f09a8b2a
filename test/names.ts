/** Exported names of `packages/anyhook/src`: one name, one meaning; and no bare participle as the name of a type. */
import { isFixture, isTest, type Tree } from './rooms.ts';

/** Parts of the contract that every dialect fulfils under the same name, once in its folder. */
const DIALECT_PARTS = new Set([
  'can',
  'config',
  'failure',
  'GAPS',
  'sharing',
  'output',
  'payload',
  'places',
  'readMatcher',
  'readReply',
  'tools',
  'words',
  'writeReply',
]);
/** Name → why it may be declared more than once. */
const SAME_BY_RIGHT: Readonly<Record<string, string>> = {
  define: 'every command of the command line declares its own',
  HookContext: 'a word of Opta, of the Agent SDK and of oh-my-pi: their code names it',
  HookError: 'a word of the Agent SDK and of oh-my-pi',
  HookEvent: 'a word of Opta, of the Agent SDK and of oh-my-pi',
  HOOK_EVENTS: 'a word of the Agent SDK and of oh-my-pi',
  Hooks: 'ours, and OpenCode calls what a plugin returns so',
  isHookEvent: 'goes with HOOK_EVENTS',
  Message: 'a word of the Agent SDK and of oh-my-pi',
  UserMessage: 'a word of the Agent SDK and of oh-my-pi',
};

const EXPORT =
  /^export (?:declare )?(?:abstract )?(?:async )?(function\*?|class|const|let|type|interface) (\w+)/gm;
const isType = (keyword: string): boolean => ['class', 'type', 'interface'].includes(keyword);

interface Declared {
  readonly name: string;
  readonly keyword: string;
  readonly file: string;
}

/** The front door hands on what others declare. */
const declaredIn = (tree: Tree): Declared[] =>
  [...tree]
    .filter(([file]) => !isTest(file) && !isFixture(file) && file !== 'index.ts')
    .flatMap(([file, text]) =>
      [...text.matchAll(EXPORT)].map(([, keyword, name]) => ({ name: name!, keyword: keyword!, file })),
    );

/** Name → how many files declare it, where that is more than one. */
export function sharedNames(tree: Tree): Record<string, number> {
  const places = new Map<string, Set<string>>();
  for (const { name, file } of declaredIn(tree)) {
    if (Object.hasOwn(SAME_BY_RIGHT, name)) continue;
    const isPart = DIALECT_PARTS.has(name) && /^dialects\/.+\//.test(file);
    places.set(name, (places.get(name) ?? new Set()).add(isPart ? 'a dialect' : file));
  }
  const counts = [...places].map(([name, files]) => [name, files.size] as const);
  return Object.fromEntries(counts.filter(([, count]) => count > 1));
}

const IRREGULAR =
  /^(?:Bound|Broken|Brought|Built|Caught|Chosen|Cut|Drawn|Found|Given|Heard|Held|Hidden|Kept|Known|Left|Lost|Made|Meant|Met|Read|Said|Seen|Sent|Shown|Spoken|Taken|Thrown|Told|Unread|Written)$/;
/** Nouns that only end like a participle. */
const NOUNS = new Set(['Deed', 'Feed', 'Need', 'Seed', 'Speed']);

/** Types whose whole name is a past participle: who reads `Asked` cannot tell what it is that was asked. */
export const participles = (tree: Tree): string[] => [
  ...new Set(
    declaredIn(tree)
      .filter(({ keyword, name }) => isType(keyword) && !NOUNS.has(name))
      .map(({ name }) => name)
      .filter((name) => IRREGULAR.test(name) || /^[A-Z][a-z]*ed$/.test(name)),
  ),
];

/** What is to be renamed. A name that is right now is struck out; none is added. */
export const RENAME: {
  /** Name → files that declare it. */
  readonly shared: Readonly<Record<string, number>>;
  readonly participles: readonly string[];
} = {
  shared: {
    admit: 2,
    Answered: 3,
    ANY: 2,
    anyhook: 2,
    ask: 3,
    Asked: 7,
    Block: 2,
    bring: 3,
    Brought: 2,
    Call: 2,
    callOf: 2,
    Case: 2,
    Cell: 3,
    Change: 2,
    changed: 2,
    check: 2,
    Checked: 2,
    commandLine: 2,
    COMMON_FIELDS: 2,
    Component: 2,
    contentOf: 2,
    contextIn: 2,
    contextOf: 2,
    DEFAULT_TIMEOUT_MS: 4,
    Definition: 2,
    definitionsIn: 2,
    Described: 2,
    Desk: 2,
    EmitOptions: 2,
    Ended: 3,
    Entry: 4,
    eventRow: 3,
    Fault: 4,
    fieldsOf: 4,
    FileRead: 2,
    filled: 2,
    fillIn: 2,
    Finding: 2,
    fire: 2,
    Found: 2,
    Gap: 2,
    GooseEvent: 2,
    Ground: 2,
    Guest: 2,
    guest: 2,
    hashOf: 2,
    Head: 2,
    Heard: 2,
    hookFrom: 4,
    hooksFrom: 2,
    hooksIn: 3,
    INHERITED: 2,
    isFolder: 2,
    JournalOptions: 2,
    Judgement: 2,
    killGroup: 2,
    Link: 2,
    list: 2,
    LoadOptions: 2,
    Log: 2,
    LONGEST_MS: 2,
    Look: 2,
    look: 3,
    Looked: 2,
    Loose: 2,
    Matcher: 3,
    MatcherRead: 3,
    McpOptions: 2,
    missingHook: 4,
    momentOf: 2,
    Named: 2,
    nameOf: 2,
    NO_REASON: 4,
    Offers: 2,
    offersOf: 2,
    open: 2,
    Opened: 2,
    openProgram: 2,
    ours: 4,
    Path: 2,
    PathTest: 2,
    Pending: 2,
    physical: 2,
    Place: 3,
    Plan: 3,
    pluginOf: 2,
    Position: 2,
    problemOf: 2,
    Program: 3,
    program: 2,
    projectOf: 2,
    question: 3,
    read: 2,
    readAnswer: 3,
    readEntry: 2,
    readHooks: 2,
    readJudgement: 3,
    readRecord: 2,
    readReply: 2,
    reasonOf: 2,
    Refusal: 2,
    refusal: 2,
    REFUSED: 2,
    resultOf: 2,
    Route: 2,
    rowOf: 2,
    Running: 2,
    runProgram: 2,
    Said: 2,
    Scene: 2,
    Scope: 2,
    scriptHook: 2,
    Seat: 5,
    Setting: 2,
    settle: 2,
    settled: 2,
    sha256: 2,
    SHELLS: 2,
    Source: 3,
    Spoken: 2,
    Started: 2,
    Streams: 2,
    Target: 3,
    targetOf: 2,
    Terms: 4,
    textAt: 2,
    textOf: 3,
    Told: 2,
    ToolOutcome: 2,
    TRANSLATIONS: 3,
    treeOf: 2,
    TrustOptions: 2,
    Turn: 2,
    unreadable: 2,
    valueOf: 2,
    Verdict: 2,
    Wanted: 3,
    Where: 2,
    Words: 2,
    wordsOf: 3,
    worktreeOf: 2,
    write: 3,
  },
  participles: [
    'Aborted',
    'Added',
    'Answered',
    'Asked',
    'Bound',
    'Broken',
    'Brought',
    'Cancelled',
    'Checked',
    'Considered',
    'Cut',
    'Defined',
    'Described',
    'Edited',
    'Ended',
    'Examined',
    'Exited',
    'Expected',
    'Explained',
    'Found',
    'Gathered',
    'Grouped',
    'Guarded',
    'Heard',
    'Ignored',
    'Installed',
    'Isolated',
    'Joined',
    'Judged',
    'Kept',
    'Known',
    'Listed',
    'Loaded',
    'Located',
    'Looked',
    'Mentioned',
    'Named',
    'Opened',
    'Parsed',
    'Passed',
    'Planned',
    'Printed',
    'Probed',
    'Promised',
    'Registered',
    'Remembered',
    'Replayed',
    'Returned',
    'Said',
    'Salvaged',
    'Sealed',
    'Served',
    'Settled',
    'Shaped',
    'Shortened',
    'Shown',
    'Spoken',
    'Staged',
    'Started',
    'Switched',
    'Timed',
    'Told',
    'Unread',
    'Verified',
    'Walked',
    'Wanted',
    'Watched',
  ],
};
