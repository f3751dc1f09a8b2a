/** Converts `updatedPermissions`, the rules that come with an approval, to a gift and back. */

import { isPlain } from '../../../events/changes.ts';
import { type Effect, type Fields, give, notice } from '../../../events/effects.ts';
import type { GiftValue } from '../../../events/gifts.ts';
import type { ToolName } from '../../../events/tools.ts';
import { tools } from './tools.ts';

type GivenRules = GiftValue<'rules'>;
const LASTS: Readonly<Record<string, string>> = {
  session: 'session',
  localSettings: 'local',
  projectSettings: 'project',
  userSettings: 'person',
};
const VERDICTS = ['allow', 'ask', 'deny'] as const;

/**
 * Updates other than new rules (modes, folders, removed rules), and rules without equivalent, are reported to the user.
 */
export const rulesFrom = (updates: unknown): Effect[] =>
  (Array.isArray(updates) ? updates : []).map((update) => {
    const read = readUpdate(update);
    return typeof read === 'string'
      ? notice(`updatedPermissions: ${read} is not supported here`)
      : give('rules', read);
  });

function readUpdate(update: unknown): GivenRules | string {
  if (!isPlain(update)) return 'an item that is not an object';
  const { type, rules, behavior, destination } = update;
  const lasts = LASTS[String(destination)];
  const verdict = VERDICTS.find((one) => one === behavior);
  if (type !== 'addRules' || lasts === undefined || verdict === undefined || !Array.isArray(rules))
    return String(type);
  const read = rules.map((rule) => (isPlain(rule) ? textsOf(rule) : undefined));
  if (read.includes(undefined)) return `the rule ${JSON.stringify(rules[read.indexOf(undefined)])}`;
  return { [verdict]: read.flatMap((texts) => texts ?? []), lasts };
}

/** A native rule may become several of ours; undefined: no equivalent. */
function textsOf({ toolName, ruleContent }: Fields): readonly string[] | undefined {
  const own = OWN[String(toolName)];
  const [names, patterns] = own ?? [[String(toolName)], undefined];
  if (ruleContent === undefined || ruleContent === '*') return names;
  const texts = typeof ruleContent === 'string' ? patterns?.(ruleContent) : undefined;
  return texts && names.flatMap((name) => texts.map((text) => `${name}(${text})`));
}

type Patterns = (content: string) => readonly string[] | undefined;
/** `git push:*` and `git push *` also match the bare command. */
const command: Patterns = (content) => {
  const start = /^(.+?)(?::| )\*$/.exec(content)?.[1];
  return start === undefined ? [content] : [start, `${start} *`];
};
/** As in a `.gitignore`: `//` is the file system root, `/` the project root, and a bare name matches at any depth. */
const path: Patterns = (content) => {
  if (content.startsWith('//')) return [content.slice(1)];
  if (content.startsWith('~/')) return [content];
  if (content.startsWith('/')) return [content.slice(1)];
  return [content.replace(/\/.*$/s, '') === content ? `**/${content}` : content];
};
const domain: Patterns = (content) =>
  content.startsWith('domain:')
    ? ['http', 'https'].map((how) => `${how}://${content.slice(7)}/**`)
    : undefined;

const OWN: Readonly<Record<string, readonly [names: readonly ToolName[], patterns?: Patterns]>> = {
  Bash: [['shell'], command],
  Read: [['read', 'glob', 'grep'], path],
  Edit: [['write', 'edit', 'multi-edit'], path],
  Write: [['write'], path],
  Glob: [['glob'], path],
  Grep: [['grep'], path],
  WebFetch: [['fetch'], domain],
  Agent: [['task'], (content) => [content]],
  Task: [['task'], (content) => [content]],
};

export const updatesFrom = ({ lasts = 'session', ...rules }: GivenRules): readonly Fields[] =>
  VERDICTS.filter((verdict) => rules[verdict] !== undefined).map((verdict) => ({
    type: 'addRules',
    rules: rules[verdict]?.map(inTheirWords),
    behavior: verdict,
    destination: Object.keys(LASTS).find((key) => LASTS[key] === lasts) ?? 'session',
  }));

function inTheirWords(rule: string): Fields {
  const [, tool = rule, pattern] = /^([^(]+)\((.*)\)$/s.exec(rule) ?? [];
  const named = Object.hasOwn(tools, tool) ? tools[tool as ToolName] : null;
  return { toolName: named?.names[0] ?? tool, ...(pattern !== undefined && { ruleContent: pattern }) };
}
