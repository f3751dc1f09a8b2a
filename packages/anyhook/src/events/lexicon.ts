/**
 * Combines the tool columns of all dialects. Translates tool names and arguments from any agent's spelling to
 * ours and back.
 */

import { actsOf, around, type EditShape, editShape } from './acts.ts';
import { apply, diff, isPlain } from './changes.ts';
import type { Change, Fields } from './effects.ts';
import type { Event, Spelling } from './event.ts';
import { listedCommand, withHostForm } from './listed-command.ts';
import { mcpName, type McpTool, mcpToolsIn, type McpSpelling } from './mcp-names.ts';
import { commandIn } from './tool-words.ts';
import { LISTS, NOTEBOOK_EDITS, TOOLS, type ToolColumn, type ToolName, type ToolWords } from './tools.ts';

export interface HostTool {
  readonly is: ToolName;
  /** Our argument name → the host's. */
  readonly args?: Readonly<Record<string, string>>;
}

export interface Lexicon {
  /** Translates a host's call to our names. Unknown names stay unchanged. */
  read(tool: string, input: Fields): { tool: string; input: Fields; native: Spelling };
  /** Returns every name of a tool, in all dialects. */
  spellings(tool: string): readonly string[];
  /** Returns the MCP tools that one of our tool names may refer to. */
  mcpTools(tool: string): readonly McpTool[];
}

export const makeLexicon = (
  columns: Iterable<ToolColumn>,
  host: Readonly<Record<string, HostTool>> = {},
  /** How the host names MCP tools. */
  mcp?: McpSpelling,
  /** The servers in the host's settings. */
  servers: ReadonlySet<string> = new Set(),
): Lexicon => new ToolLexicon(indexOf(columns, host), host, mcp, servers);

/** The names of all columns, indexed for lookups. */
interface ToolIndex {
  readonly mcpWords: ReadonlySet<McpSpelling | undefined>;
  readonly tools: ReadonlyMap<string, ToolName>;
  /**
   * Ambiguous names that other programs may use for something else. They count only if the call has the
   * tool's first argument.
   */
  readonly likely: ReadonlySet<string>;
  readonly args: ReadonlyMap<ToolName, ReadonlyMap<string, string>>;
  readonly names: ReadonlyMap<string, ReadonlySet<string>>;
}

function indexOf(columns: Iterable<ToolColumn>, host: Readonly<Record<string, HostTool>>): ToolIndex {
  const mcpWords = new Set<McpSpelling | undefined>([undefined]);
  const tools = new Map<string, ToolName>();
  const likely = new Set<string>();
  const args = new Map<ToolName, Map<string, string>>();
  const names = new Map<string, Set<string>>();
  for (const tool of Object.keys(TOOLS) as ToolName[]) {
    tools.set(tool, tool);
    args.set(tool, new Map(TOOLS[tool].args.map((arg) => [arg, arg])));
    names.set(tool, new Set([tool]));
  }
  for (const column of columns) {
    mcpWords.add(column.mcp);
    for (const tool of Object.keys(TOOLS) as ToolName[]) {
      const words = column[tool];
      if (words === null) continue;
      for (const name of words.names) {
        if (!tools.has(name) && words.as === undefined) {
          tools.set(name, tool);
          if (column.isLikely === true) likely.add(name);
        }
        names.get(tool)!.add(name);
      }
      for (const name of words.also ?? []) names.get(tool)!.add(name);
      for (const [ours, theirs] of entries(words))
        for (const name of theirs) if (!args.get(tool)!.has(name)) args.get(tool)!.set(name, ours);
    }
  }
  for (const [name, { is }] of Object.entries(host)) {
    tools.set(name, is);
    likely.delete(name);
    names.get(is)!.add(name);
  }
  return { mcpWords, tools, likely, args, names };
}

class ToolLexicon implements Lexicon {
  readonly #index: ToolIndex;
  readonly #host: Readonly<Record<string, HostTool>>;
  readonly #mcp: McpSpelling | undefined;
  readonly #servers: ReadonlySet<string>;
  /**
   * The spelling of calls that need no argument names translated, cached per tool. The size is limited
   * because tool names come from a model.
   */
  readonly #plain = new Map<string, Spelling>();

  constructor(
    index: ToolIndex,
    host: Readonly<Record<string, HostTool>>,
    mcp: McpSpelling | undefined,
    servers: ReadonlySet<string>,
  ) {
    this.#index = index;
    this.#host = host;
    this.#mcp = mcp;
    this.#servers = servers;
  }

  readonly read: Lexicon['read'] = (tool, input) => {
    const named = this.#namedBy(tool, input);
    if (named === undefined) {
      const parts = this.#mcp === undefined ? [] : mcpToolsIn(tool, this.#mcp);
      const ours = this.#mcp?.isAnybodys
        ? parts.findLast(({ server }) => this.#servers.has(server))
        : parts[0];
      return { tool: ours === undefined ? tool : mcpName(ours), input, native: this.#plainly(tool) };
    }
    const known = this.#index.args.get(named)!;
    const listed = named === 'shell' ? listedCommand(input, known) : undefined;
    if (listed !== undefined) {
      const { input: rest, native } = this.#reworded(tool, listed.rest, named, undefined);
      const { spelling } = listed;
      return {
        tool: named,
        input: { ...rest, command: spelling.text },
        native: { ...native, command: spelling },
      };
    }
    const shape = named === 'edit' ? editIn(input, known) : undefined;
    const ours = shape?.tool ?? named;
    if (
      ours === named &&
      LISTS[ours] === undefined &&
      !Object.hasOwn(this.#host, tool) &&
      isOurs(input, known)
    )
      return { tool: ours, input, native: this.#plainly(tool) };
    return this.#reworded(tool, input, named, shape);
  };

  readonly mcpTools: Lexicon['mcpTools'] = (tool) => {
    const mcp = this.#mcp;
    const [ours] = mcpToolsIn(tool);
    if (mcp === undefined) return ours === undefined ? [] : [ours];
    if (ours !== undefined) return mcpToolsIn(mcpName(ours, mcp), mcp);
    return mcp.isAnybodys && !this.#index.tools.has(tool) ? mcpToolsIn(tool, mcp) : []; // unclear, so match it
  };

  readonly spellings: Lexicon['spellings'] = (tool) => {
    const known = this.#index.names.get(tool);
    if (known !== undefined) return [...known];
    if (NOTEBOOK_EDITS.includes(tool)) return NOTEBOOK_EDITS;
    const all = this.mcpTools(tool).flatMap((one) =>
      [...this.#index.mcpWords].map((words) => mcpName(one, words)),
    );
    return [...new Set([tool, ...all])];
  };

  /** Returns our tool for a name, in a call with these arguments. */
  #namedBy(tool: string, input: Fields): ToolName | undefined {
    const { tools, likely, args } = this.#index;
    const named = tools.get(tool);
    if (named === undefined || !likely.has(tool)) return named;
    const [first] = TOOLS[named].args;
    const hasFirst = Object.keys(input).some((key) => args.get(named)!.get(key) === first);
    return hasFirst || (named === 'shell' && commandIn(input) !== undefined) ? named : undefined;
  }

  #plainly(tool: string): Spelling {
    let spelling = this.#plain.get(tool);
    if (spelling === undefined) {
      if (this.#plain.size >= 1000) this.#plain.clear();
      this.#plain.set(tool, (spelling = Object.freeze({ tool, args: Object.freeze({}) })));
    }
    return spelling;
  }

  /** Translates a call that is not yet in our names. Kept apart from the common case, which needs no work. */
  #reworded(
    tool: string,
    input: Fields,
    named: ToolName,
    shape: EditShape | undefined,
  ): ReturnType<Lexicon['read']> {
    const { args } = this.#index;
    const known = args.get(named)!;
    const ours = shape?.tool ?? named;
    const list = LISTS[ours];
    const own = new Map(Object.entries(this.#host[tool]?.args ?? {}).map(([to, from]) => [from, to]));
    if (shape?.tool === 'patch') own.set(shape.key, 'patch');
    // The host's own argument names win if several mean the same, because the host uses their values.
    const keys = Object.keys(input).toSorted((a, b) => Number(own.has(b)) - Number(own.has(a)));
    const hostKeys = new Map<string, string>();
    for (const key of keys) hostKeys.set(freeName(own.get(key) ?? known.get(key) ?? key, key, hostKeys), key);
    const ourInput: Fields = Object.fromEntries([...hostKeys].map(([name, key]) => [name, input[key]]));
    const spelled = { tool, args: Object.fromEntries([...hostKeys].filter(([name, key]) => name !== key)) };
    if (list === undefined) return { tool: ours, input: ourInput, native: spelled };
    const theirs = args.get(list.of)!;
    const items = itemsOf(ourInput, list.arg).flatMap((item) => Object.keys(item));
    const renamedItems = items.flatMap((key) => (theirs.has(key) ? [[theirs.get(key)!, key] as const] : []));
    return {
      tool: ours,
      input: inItems(ourInput, list.arg, (name) => theirs.get(name) ?? name),
      native: { ...spelled, items: { arg: list.arg, args: Object.fromEntries(renamedItems) } },
    };
  }
}

const editIn = (input: Fields, known: ReadonlyMap<string, string>): EditShape =>
  editShape(input, (key) => known.has(key));

/** Returns true if all arguments have our names or unknown ones. */
function isOurs(input: Fields, known: ReadonlyMap<string, string>): boolean {
  for (const key of Object.keys(input)) if ((known.get(key) ?? key) !== key) return false;
  return true;
}

/**
 * Two arguments can have the same meaning. The second keeps its own name, so that both can be converted back.
 */
function freeName(wanted: string, key: string, takenNames: ReadonlyMap<string, string>): string {
  let name = takenNames.has(wanted) ? key : wanted;
  while (takenNames.has(name)) name += '_';
  return name;
}

/** Translates our input to one column's names. If an argument has several names, all of them are set. */
export function spell(column: ToolColumn, tool: string, input: Fields): { tool: string; input: Fields } {
  const words = wordsOf(column, tool);
  if (words === null) return { tool, input };
  if (words.as !== undefined)
    return spell(column, words.as, around(words.as, { tool: tool as ToolName, input }));
  const list = LISTS[tool as ToolName];
  const item = list && wordsOf(column, list.of);
  const whole = item
    ? inItems(input, list.arg, (name) => new Map(entries(item)).get(name)?.[0] ?? name)
    : input;
  const theirs = new Map(entries(words));
  const translatedEntries = Object.entries(whole).flatMap(([key, value]) =>
    (theirs.get(key) ?? [key]).map((name) => [name, value] as const),
  );
  return { tool: words.names[0], input: Object.fromEntries(translatedEntries) };
}

/** Translates a hook's changes from the column's names to ours. */
export function unspell(column: ToolColumn, tool: string, changes: readonly Change[]): Change[] {
  const words = wordsOf(column, tool);
  if (words === null) return [...changes];
  const ours = toOurs(words);
  const list = LISTS[tool as ToolName];
  const item = list && wordsOf(column, list.of);
  const items = item ? toOurs(item) : undefined;
  // If two names mean one argument, removing one does not undo setting the other.
  return changes
    .map((change) => renamed(change, ours))
    .map((change) => (items === undefined ? change : renamedIn(change, list!.arg, items)))
    .toSorted((a, b) => Number('to' in a) - Number('to' in b));
}

function renamed(change: Change, ours: ReadonlyMap<string, string>): Change {
  const [field, key] = change.at;
  if (field !== 'input') return change;
  if (key !== undefined) return { ...change, at: [field, ours.get(key) ?? key] };
  if (typeof change.to !== 'object' || change.to === null) return change;
  return { ...change, to: rename(change.to as Fields, (name) => ours.get(name) ?? name) };
}

/** Does the same inside a list of another tool's arguments. */
function renamedIn(change: Change, arg: string, ours: ReadonlyMap<string, string>): Change {
  const [field, key] = change.at;
  if (field !== 'input' || !('to' in change)) return change;
  const whole = key === undefined ? change.to : { [key]: change.to };
  if (!isPlain(whole)) return change;
  const renamedInput = inItems(whole, arg, (name) => ours.get(name) ?? name);
  return { ...change, to: key === undefined ? renamedInput : renamedInput[key] };
}

/** Returns a tool call as hooks of one dialect see it, with the dialect's names or else the host's. */
export function callIn(column: ToolColumn, event: Event): { tool: string; input: Fields } {
  const { tool, input } = event.payload as { tool: string; input: Fields };
  if (wordsOf(column, tool) !== null) return spell(column, tool, input ?? {});
  const [ofServer] = tool === undefined ? [] : mcpToolsIn(tool);
  const name = ofServer === undefined ? (event.native?.tool ?? tool) : mcpName(ofServer, column.mcp);
  return { tool: name, input: respell(input ?? {}, event.native) };
}

/** Returns the changes that a hook of one dialect made to its input, with our names. */
export function changesIn(column: ToolColumn, event: Event, after: unknown): Change[] {
  const { tool, input } = event.payload as { tool: string; input: Fields };
  const words = wordsOf(column, tool);
  const shown = callIn(column, event).input;
  const changes = diff('input', shown, withUntold(words, shown, after));
  if (words?.as !== undefined) return changesInside(column, words.as, { tool, input: input ?? {} }, changes);
  if (words !== null) return unspell(column, tool, changes);
  const ours = new Map(Object.entries(event.native?.args ?? {}).map(([to, from]) => [from, to]));
  return changes.map((change) => renamed(change, ours));
}

/**
 * Hooks of many dialects return the whole input. They omit arguments that their agent lacks, and
 * `description`, which is optional there. Another agent may require both, so omitted ones stay unchanged.
 */
function withUntold(words: ToolWords | null, shown: Fields, after: unknown): unknown {
  if (words === null || words.as !== undefined || !isPlain(after)) return after;
  const own = new Set(
    entries(words).flatMap(([name, spellings]) => (name === 'description' ? [] : spellings)),
  );
  const omittedFields = Object.entries(shown).filter(([key]) => !own.has(key) && !Object.hasOwn(after, key));
  return omittedFields.length === 0 ? after : { ...after, ...Object.fromEntries(omittedFields) };
}

/**
 * Does the same for a call that the hook saw as a call of another tool. Throws a TypeError if the result is
 * no longer the same call.
 */
function changesInside(
  column: ToolColumn,
  as: ToolName,
  { tool, input }: { tool: string; input: Fields },
  changes: readonly Change[],
): Change[] {
  const presentedCall = { tool: as, input: around(as, { tool: tool as ToolName, input }) };
  const [before] = actsOf(presentedCall);
  const [after, ...more] = actsOf(apply(presentedCall, unspell(column, as, changes)));
  if (before === undefined || after?.tool !== tool || more.length > 0)
    throw new TypeError(`it turned the ${tool} call that it received into another call`);
  return diff('input', before.input, after.input);
}

/** Translates our input back to the host's names. */
export function respell(input: Fields, native: Spelling | undefined): Fields {
  if (native === undefined) return input;
  const { items, command } = native;
  if (command !== undefined) {
    const { command: text, ...rest } = input;
    const { command: _command, ...plain } = native;
    return withHostForm(respell(rest, plain), command, text);
  }
  const to = (names: Readonly<Record<string, string>>) => (name: string) =>
    Object.hasOwn(names, name) ? names[name]! : name;
  return rename(items === undefined ? input : inItems(input, items.arg, to(items.args)), to(native.args));
}

/** Returns a column's own names for a tool, or an empty list. */
export const namesIn = (column: ToolColumn, tool: string): readonly string[] => {
  const words = wordsOf(column, tool);
  return words === null ? [] : [...words.names, ...(words.also ?? [])];
};

const wordsOf = (column: ToolColumn, tool: string): ToolWords | null =>
  Object.hasOwn(TOOLS, tool) ? column[tool as ToolName] : null;
const entries = (words: ToolWords) => Object.entries(words.args) as [string, readonly string[]][];
const toOurs = (words: ToolWords): ReadonlyMap<string, string> =>
  new Map(entries(words).flatMap(([to, names]) => names.map((name) => [name, to] as const)));
const itemsOf = (input: Fields, arg: string): Fields[] =>
  Array.isArray(input[arg]) ? (input[arg] as unknown[]).filter(isPlain) : [];
const inItems = (input: Fields, arg: string, to: (name: string) => string): Fields =>
  Array.isArray(input[arg])
    ? { ...input, [arg]: input[arg].map((item: unknown) => (isPlain(item) ? rename(item, to) : item)) }
    : input;
const rename = (input: Fields, to: (name: string) => string): Fields =>
  Object.fromEntries(Object.entries(input).map(([name, value]) => [to(name), value]));
