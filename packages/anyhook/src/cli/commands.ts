/** The table of commands. To add one, create a module and add a line. A module is loaded only when its command is called. */

import type { Command } from 'commander';

/** Adds arguments and options, and passes on the exit code: 0 done, 1 found what it looks for, 2 wrong use. */
export type Define = (command: Command, done: (code: number) => void) => void;

/** Sections of `anyhook --help`, in this order. */
export const GROUPS = ['Start', 'See', 'Try', 'Trust', 'Agents', 'Maintain'] as const;

interface Row {
  readonly group: (typeof GROUPS)[number];
  /** For the list of commands; the module adds the rest. */
  readonly summary: string;
  readonly load: () => Promise<{ readonly define: Define }>;
  /** Lines as a user would type them. Each works as written. */
  readonly examples: readonly string[];
  readonly alias?: string;
  /** For programs, not for people. */
  readonly hidden?: true;
}

export const COMMANDS: Readonly<Record<string, Row>> = {
  init: {
    group: 'Start',
    summary: 'Write a first hook with a test',
    examples: ['anyhook init', 'anyhook init --user', 'anyhook init --kind python'],
    load: () => import('./init.ts'),
  },
  add: {
    group: 'Start',
    summary: 'Add a hook from the built-in catalog, npm, git or a folder',
    examples: ['anyhook add', 'anyhook add destructive-commands'],
    load: () => import('./add.ts'),
  },
  remove: {
    group: 'Start',
    alias: 'rm',
    summary: 'Remove a hook that was added',
    examples: ['anyhook remove destructive-commands'],
    load: async () => ({ define: (await import('./add.ts')).defineRemove }),
  },
  install: {
    group: 'Start',
    summary: 'Let agents run your hooks',
    examples: ['anyhook install', 'anyhook install claude codex', 'anyhook install claude --diff'],
    load: () => import('./install.ts'),
  },
  uninstall: {
    group: 'Start',
    summary: 'Remove anyhook from agents and restore their settings',
    examples: ['anyhook uninstall', 'anyhook uninstall claude-code'],
    load: async () => ({ define: (await import('./install.ts')).defineUninstall }),
  },
  list: {
    group: 'See',
    alias: 'ls',
    summary: 'List all hooks with source, event, trust and failure policy',
    examples: ['anyhook list', 'anyhook list PreToolUse --host codex'],
    load: () => import('./list.ts'),
  },
  why: {
    group: 'See',
    summary: 'Show which hooks a command or event reaches, and why',
    examples: [
      "anyhook why 'cd build && rm -rf cache'",
      `anyhook why tool.before --tool Bash --input '{"command":"git push"}'`,
      'anyhook why --last deny',
    ],
    load: () => import('./why.ts'),
  },
  explain: {
    group: 'See',
    summary: 'Explain an error code, or how guards judge a shell command',
    examples: ['anyhook explain not-trusted', "anyhook explain 'cd build && rm -rf cache'"],
    load: () => import('./explain.ts'),
  },
  log: {
    group: 'See',
    summary: 'Show what hooks did, from the journal',
    examples: ['anyhook log --since 2h --verdict deny', 'anyhook log --follow'],
    load: () => import('./log.ts'),
  },
  view: {
    group: 'See',
    summary: 'Show sessions and hook runs in the browser, live',
    examples: ['anyhook view', 'anyhook view --export today.html --day today'],
    load: () => import('./view.ts'),
  },
  doctor: {
    group: 'See',
    summary: 'Check agents, bridges and hooks, and report problems',
    examples: ['anyhook doctor', 'anyhook doctor --probe codex'],
    load: () => import('./doctor.ts'),
  },
  undo: {
    group: 'Try',
    summary: 'Put back what an agent changed in your files',
    examples: ['anyhook undo', 'anyhook undo --list', 'anyhook undo src --session --dry-run'],
    load: () => import('./undo.ts'),
  },
  test: {
    group: 'Try',
    summary: 'Run the test cases of your hooks',
    examples: ['anyhook test', 'anyhook test .anyhook/hooks/guard.test.yaml --watch'],
    load: () => import('./test.ts'),
  },
  replay: {
    group: 'Try',
    summary: 'Run current hooks on recorded events and show what would differ',
    examples: ['anyhook replay'],
    load: () => import('./replay.ts'),
  },
  suggest: {
    group: 'Try',
    summary: 'Propose rules from what you approved and refused',
    examples: ['anyhook suggest', 'anyhook suggest --min 5'],
    load: () => import('./suggest.ts'),
  },
  approvals: {
    group: 'Trust',
    summary: 'Answer questions of your hooks, from any terminal',
    examples: ['anyhook approvals', 'anyhook approvals list'],
    load: () => import('./approvals.ts'),
  },
  trust: {
    group: 'Trust',
    summary: 'Review and approve what a project wants to run',
    examples: ['anyhook trust list', 'anyhook trust add'],
    load: () => import('./trust.ts'),
  },
  hooks: {
    group: 'Trust',
    alias: 'menu',
    summary: 'Switch, edit, try and trust hooks in a menu',
    examples: ['anyhook hooks'],
    load: () => import('./hooks.ts'),
  },
  pause: {
    group: 'Trust',
    summary: 'Switch all hooks off for a while; needs a terminal',
    examples: ['anyhook pause 30m'],
    load: () => import('./pause.ts'),
  },
  resume: {
    group: 'Trust',
    summary: 'Switch hooks on again after a pause',
    examples: ['anyhook resume'],
    load: async () => ({ define: (await import('./pause.ts')).defineResume }),
  },
  fire: {
    group: 'Agents',
    summary: 'Run all hooks for one event: payload on stdin, answer on stdout',
    examples: ['anyhook fire --as claude-code < event.json'],
    load: () => import('./fire.ts'),
  },
  serve: {
    group: 'Agents',
    summary: 'Run hooks for a program in any language, over JSON lines',
    examples: ['anyhook serve', 'anyhook serve --http'],
    load: () => import('./serve.ts'),
  },
  mcp: {
    group: 'Agents',
    summary: 'Run hooks around the tool calls of an MCP server',
    examples: [
      'anyhook mcp -- npx @modelcontextprotocol/server-everything',
      'anyhook mcp --http https://example.com/mcp',
    ],
    load: () => import('./mcp.ts'),
  },
  daemon: {
    group: 'Agents',
    summary: 'Show or stop the background process that answers agents',
    examples: ['anyhook daemon status', 'anyhook daemon stop'],
    load: () => import('./daemon.ts'),
  },
  bridge: {
    group: 'Agents',
    summary: 'Answer one event of an agent without the daemon',
    examples: ['anyhook bridge codex < event.json'],
    load: () => import('./bridge.ts'),
    hidden: true,
  },
  reload: {
    group: 'Agents',
    summary: 'Make running agents read their hooks again',
    examples: ['anyhook reload'],
    load: () => import('./reload.ts'),
  },
  verify: {
    group: 'Maintain',
    summary: 'Check the journal for modified, missing or reordered records',
    examples: ['anyhook verify', 'anyhook verify --session s1 --json'],
    load: () => import('./verify.ts'),
  },
  completion: {
    group: 'Maintain',
    summary: 'Print a completion script for your shell',
    examples: [
      'anyhook completion bash',
      'anyhook completion fish > ~/.config/fish/completions/anyhook.fish',
    ],
    load: () => import('./completion.ts'),
  },
};

/** The command with this name or alias. */
export const commandName = (word: string): string =>
  Object.keys(COMMANDS).find((name) => COMMANDS[name]!.alias === word) ?? word;
