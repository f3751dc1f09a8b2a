/** The available part of `pi-coding-agent` for sessions, skills and tokens: pure functions that work outside pi. */

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isFields } from '../../../../events/fields.ts';

type Entry = Readonly<Record<string, unknown>>;

/** The supported version of pi's session files. */
export const CURRENT_SESSION_VERSION = 3;
export const DEFAULT_COMPACTION_SETTINGS = { enabled: true, reserveTokens: 16_384, keepRecentTokens: 20_000 };

interface SkillBlock {
  readonly name: string;
  readonly location: string;
  readonly content: string;
  readonly userMessage: string | undefined;
}
/** Parses a prompt that contains a skill inserted by pi; null for any other. */
export function parseSkillBlock(text: string): SkillBlock | null {
  const found = /^<skill name="([^"]+)" location="([^"]+)">\n([^]*?)\n<\/skill>(?:\n\n([^]+))?$/.exec(text);
  if (found === null) return null;
  const [, name = '', location = '', content = '', more = ''] = found;
  return { name, location, content, userMessage: more.trim() === '' ? undefined : more.trim() };
}

/** One JSON document per line; invalid lines are skipped. */
export const parseSessionEntries = (text: string): Entry[] =>
  text.split('\n').flatMap((line) => {
    try {
      const entry: unknown = JSON.parse(line);
      return isFields(entry) ? [entry] : [];
    } catch {
      return [];
    }
  });

export const getLatestCompactionEntry = (entries: readonly Entry[]): Entry | null =>
  entries.findLast(({ type }) => type === 'compaction') ?? null;

interface Usage {
  readonly totalTokens?: number;
  readonly input?: number;
  readonly output?: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
}
export const calculateContextTokens = ({
  totalTokens = 0,
  input = 0,
  output = 0,
  cacheRead = 0,
  cacheWrite = 0,
}: Usage): number => totalTokens || input + output + cacheRead + cacheWrite;

/** The usage of the last answer that was not aborted or an error. */
export function getLastAssistantUsage(entries: readonly Entry[]): Usage | undefined {
  for (const { type, message } of entries.toReversed()) {
    if (type !== 'message' || !isFields(message) || message['role'] !== 'assistant') continue;
    const { usage, stopReason } = message;
    if (isFields(usage) && stopReason !== 'aborted' && stopReason !== 'error') return usage as Usage;
  }
  return undefined;
}

export const shouldCompact = (
  tokens: number,
  window: number,
  { enabled, reserveTokens }: { readonly enabled: boolean; readonly reserveTokens: number },
): boolean => enabled && tokens > window - reserveTokens;

/** Four characters per token; an image counts as 4,800 characters, as in pi. */
export function estimateTokens({ content, summary }: Readonly<Record<string, unknown>>): number {
  const parts =
    typeof content === 'string' ? [content] : Array.isArray(content) ? (content as unknown[]) : [];
  const characters = parts.map((part) => {
    if (typeof part === 'string') return part.length;
    if (!isFields(part)) return 0;
    if (part['type'] === 'image') return 4_800;
    if (part['type'] === 'toolCall')
      return String(part['name']).length + JSON.stringify(part['arguments'] ?? {}).length;
    return String(part['text'] ?? part['thinking'] ?? '').length;
  });
  const total =
    characters.reduce((sum, one) => sum + one, 0) + (typeof summary === 'string' ? summary.length : 0);
  return Math.ceil(total / 4);
}

interface SessionContext {
  readonly messages: readonly unknown[];
  readonly thinkingLevel: string;
  readonly model: { readonly provider: unknown; readonly modelId: unknown } | null;
}
/** Returns what the model sees of a session: the branch of that leaf, from its last compaction on. */
export function buildSessionContext(entries: readonly Entry[], leafId?: string | null): SessionContext {
  const path = leafId === null ? [] : branchOf(entries, leafId);
  const settings = path.reduce<Omit<SessionContext, 'messages'>>(withSettings, {
    thinkingLevel: 'off',
    model: null,
  });
  const compaction = getLatestCompactionEntry(path);
  const at = compaction === null ? -1 : path.indexOf(compaction);
  const first = path.findIndex(({ id }) => id === compaction?.['firstKeptEntryId']);
  const kept = at === -1 ? path : [...(first === -1 ? [] : path.slice(first, at)), ...path.slice(at + 1)];
  const start =
    compaction === null
      ? []
      : [{ role: 'compactionSummary', ...pick(compaction, ['summary', 'tokensBefore', 'timestamp']) }];
  return { ...settings, messages: [...start, ...kept.flatMap(messageOf)] };
}

function branchOf(entries: readonly Entry[], leafId: string | undefined): readonly Entry[] {
  const byId = new Map(entries.map((entry) => [entry['id'], entry]));
  const path: Entry[] = [];
  let entry = byId.get(leafId) ?? entries.at(-1);
  while (entry !== undefined && !path.includes(entry)) {
    path.unshift(entry);
    entry = byId.get(entry['parentId']);
  }
  return path;
}

function withSettings(
  settings: Omit<SessionContext, 'messages'>,
  { type, thinkingLevel, provider, modelId, message }: Entry,
): Omit<SessionContext, 'messages'> {
  if (type === 'thinking_level_change') return { ...settings, thinkingLevel: String(thinkingLevel) };
  if (type === 'model_change') return { ...settings, model: { provider, modelId } };
  if (type === 'message' && isFields(message) && message['role'] === 'assistant')
    return { ...settings, model: { provider: message['provider'], modelId: message['model'] } };
  return settings;
}

function messageOf(entry: Entry): readonly unknown[] {
  if (entry['type'] === 'message') return [entry['message']];
  if (entry['type'] === 'custom_message')
    return [{ role: 'custom', ...pick(entry, ['customType', 'content', 'display', 'details', 'timestamp']) }];
  if (entry['type'] === 'branch_summary' && entry['summary'])
    return [{ role: 'branchSummary', ...pick(entry, ['summary', 'fromId', 'timestamp']) }];
  return [];
}
const pick = (entry: Entry, keys: readonly string[]): Entry =>
  Object.fromEntries(keys.filter((key) => entry[key] !== undefined).map((key) => [key, entry[key]]));

/** A stored session, read only. Only pi itself starts and writes sessions. */
class StoredSession {
  readonly #file: string | undefined;
  readonly #entries: readonly Entry[];
  readonly #header: Entry | null;

  private constructor(file: string | undefined, entries: readonly Entry[]) {
    this.#file = file;
    this.#header = entries.find(({ type }) => type === 'session') ?? null;
    this.#entries = entries.filter(({ type }) => type !== 'session');
  }
  static open(file: string): StoredSession {
    return new StoredSession(file, parseSessionEntries(readFileSync(file, 'utf8')));
  }
  static inMemory(cwd = process.cwd()): StoredSession {
    const header = { type: 'session', version: CURRENT_SESSION_VERSION, id: 'in-memory', cwd };
    return new StoredSession(undefined, [header]);
  }
  static create = (): never => onlyInPi('SessionManager.create');
  static continueRecent = (): never => onlyInPi('SessionManager.continueRecent');
  static forkFrom = (): never => onlyInPi('SessionManager.forkFrom');

  getHeader = (): Entry | null => this.#header;
  getEntries = (): readonly Entry[] => this.#entries;
  getSessionFile = (): string | undefined => this.#file;
  getSessionDir = (): string => (this.#file === undefined ? '' : dirname(this.#file));
  getSessionId = (): string => String(this.#header?.['id'] ?? '');
  getCwd = (): string => String(this.#header?.['cwd'] ?? '');
  getLeafId = (): string | null => (this.#entries.at(-1)?.['id'] as string | undefined) ?? null;
  getEntry = (id: string): Entry | undefined => this.#entries.find((entry) => entry['id'] === id);
  getBranch = (leafId?: string): readonly Entry[] => branchOf(this.#entries, leafId);
  buildSessionContext = (): SessionContext => buildSessionContext(this.#entries);
}

export { StoredSession as SessionManager };

/** Throws for functions that start or control an agent, which only pi itself can do. */
export function onlyInPi(name: string): never {
  throw new Error(
    `${name} works only inside pi: it starts or writes a session of its own. Run this extension in pi.`,
  );
}

interface Skill {
  readonly name: string;
  readonly description: string;
  readonly filePath: string;
  readonly baseDir: string;
  readonly source: string;
  readonly disableModelInvocation: boolean;
}
/** Returns folders with a `SKILL.md`, and errors. */
export function loadSkillsFromDir({
  dir,
  source = 'custom',
}: {
  readonly dir: string;
  readonly source?: string;
}): {
  skills: Skill[];
  diagnostics: { type: string; path: string; message: string }[];
} {
  const skills: Skill[] = [];
  const diagnostics: { type: string; path: string; message: string }[] = [];
  for (const folder of [dir, ...foldersIn(dir)]) {
    const filePath = join(folder, 'SKILL.md');
    if (statSync(filePath, { throwIfNoEntry: false })?.isFile() !== true) continue;
    const text = readFileSync(filePath, 'utf8');
    const field = (key: string) =>
      new RegExp(`^${key}:[ \\t]*(.+)$`, 'm').exec(text.split(/^---\s*$/m)[1] ?? '')?.[1]?.trim();
    const description = field('description');
    if (description === undefined) {
      diagnostics.push({ type: 'warning', path: filePath, message: 'description is required' });
      continue;
    }
    const disableModelInvocation = field('disable-model-invocation') === 'true';
    skills.push({
      name: field('name') ?? basename(folder),
      description,
      filePath,
      baseDir: folder,
      source,
      disableModelInvocation,
    });
  }
  return { skills, diagnostics };
}
const foldersIn = (dir: string): string[] =>
  statSync(dir, { throwIfNoEntry: false })?.isDirectory() === true
    ? readdirSync(dir, { withFileTypes: true })
        .filter(
          (entry) => entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules',
        )
        .map((entry) => join(dir, entry.name))
        .toSorted()
    : [];

/** Formats the list of skills for the system prompt like pi; empty if the model may use none. */
export function formatSkillsForPrompt(skills: readonly Skill[]): string {
  const offered = skills.filter(({ disableModelInvocation }) => !disableModelInvocation);
  if (offered.length === 0) return '';
  const lines = offered.flatMap(({ name, description, filePath }) => [
    '  <skill>',
    `    <name>${inXml(name)}</name>`,
    `    <description>${inXml(description)}</description>`,
    `    <location>${inXml(filePath)}</location>`,
    '  </skill>',
  ]);
  return ['', '<available_skills>', ...lines, '</available_skills>'].join('\n');
}
const inXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

type BusHandler = (data: unknown) => unknown;
/** Handlers that throw are logged and do not stop others. */
export function createEventBus() {
  const handlers = new Map<string, Set<BusHandler>>();
  return {
    emit(channel: string, data: unknown): void {
      for (const handler of handlers.get(channel) ?? [])
        void Promise.resolve()
          .then(() => handler(data))
          .catch(
            (error: unknown) =>
              void process.stderr.write(`Event handler error (${channel}): ${String(error)}\n`),
          );
    },
    on(channel: string, handler: BusHandler): () => void {
      const known = handlers.get(channel) ?? new Set();
      handlers.set(channel, known.add(handler));
      return () => void known.delete(handler);
    },
    clear: (): void => handlers.clear(),
  };
}

/** The host sets themes, so there is nothing to prepare. */
export const initTheme = (): void => {};
