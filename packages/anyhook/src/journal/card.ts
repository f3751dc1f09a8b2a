import {
  commandOf,
  label,
  type Hook,
  inOwnPaths,
  type Layer,
  type McpServer,
  type Role,
  type WayKind,
} from '../events/hook.ts';
import { ruleSentence } from '../events/rule.ts';

/** The static facts about a configured hook. Every fire of the hook shares the same object. */
export class Card {
  readonly id: string;
  readonly dialect: string;
  /** The native event name. */
  readonly on: string;
  readonly layer: Layer;
  readonly file: string;
  readonly line: number;
  readonly roles: readonly Role[];
  readonly way: WayKind;
  /** What runs, in short form: the command line, the URL or the file. */
  readonly what?: string;
  readonly matcher?: string;
  readonly shadow?: true;
  readonly background?: true;
  /** Why the organisation does not enforce it for this user. */
  readonly exception?: string;

  constructor(hook: Hook) {
    this.id = hook.id;
    this.dialect = hook.dialect;
    this.on = hook.on;
    this.layer = hook.origin.layer;
    this.file = hook.origin.file;
    this.line = hook.origin.line;
    this.roles = hook.roles;
    this.way = hook.run.kind;
    const what = whatOf(hook);
    if (what !== undefined) this.what = what;
    if (hook.matcher !== undefined) this.matcher = hook.matcher;
    if (hook.shadow) this.shadow = true;
    if (hook.background) this.background = true;
    if (hook.exception !== undefined) this.exception = hook.exception;
  }
}

const cards = new WeakMap<Hook, Card>();

export function cardOf(hook: Hook): Card {
  let card = cards.get(hook);
  if (card === undefined) cards.set(hook, (card = new Card(hook)));
  return card;
}

function whatOf(hook: Hook): string | undefined {
  const { run } = hook;
  switch (run.kind) {
    case 'command':
      return commandOf(hook);
    case 'isolated':
      return run.file;
    case 'http':
      return run.url;
    case 'mcp':
      return inOwnPaths(run.server === undefined ? run.tool : `${serverName(run.server)} ${run.tool}`, hook);
    case 'prompt':
      return run.text;
    case 'rule':
      return ruleSentence(run.rule);
    case 'missing':
      return run.why.detail ?? run.why.kind;
    case 'call':
      return label(hook); // the function's own name may be generated
  }
}

function serverName(server: string | McpServer): string {
  if (typeof server === 'string') return server;
  return 'url' in server ? server.url : server.command;
}
