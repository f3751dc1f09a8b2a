/** The table of commands: a new one is a module and a line. Its module is loaded when it is called, and not before. */
import type { Command } from 'commander';

/** Adds arguments and options, and says how the command ended: 0 done, 1 it found what it looks for, 2 wrong use. */
export type Define = (command: Command, done: (code: number) => void) => void;

interface Row {
  /** For the list of commands; the module adds the rest. */
  readonly summary: string;
  readonly load: () => Promise<{ readonly define: Define }>;
  /** Lines as a person would type them; each must work as it stands. */
  readonly examples: readonly string[];
  /** For programs, not for people. */
  readonly hidden?: true;
}

export const COMMANDS: Readonly<Record<string, Row>> = {
  fire: {
    summary: "apply all hooks to an agent's event: its payload on stdin, its answer out",
    examples: ['anyhook fire --as claude-code < event.json'],
    load: () => import('./fire.ts'),
  },
  list: {
    summary: 'every hook found: where, when, whether it is trusted, what happens if it breaks',
    examples: ['anyhook list', 'anyhook list PreToolUse --host codex'],
    load: () => import('./list.ts'),
  },
  why: {
    summary: 'which hooks an event reaches, and why or why not',
    examples: [
      `anyhook why tool.before --tool Bash --input '{"command":"git push"}'`,
      'anyhook why --last deny',
    ],
    load: () => import('./why.ts'),
  },
  explain: {
    summary: 'what each guard would make of a shell line, and why',
    examples: ["anyhook explain 'cd build && rm -rf cache'"],
    load: () => import('./explain.ts'),
  },
  test: {
    summary: 'cases for hooks, judged by what several agents would make of them',
    examples: ['anyhook test', 'anyhook test .anyhook/hooks/guard.test.yaml --watch'],
    load: () => import('./test.ts'),
  },
  trust: {
    summary: 'what of this project may run',
    examples: ['anyhook trust list', 'anyhook trust add'],
    load: () => import('./trust.ts'),
  },
  install: {
    summary: 'let an agent run your hooks: shows what changes in its settings, and does it',
    examples: ['anyhook install', 'anyhook install claude --dry-run'],
    load: () => import('./install.ts'),
  },
  uninstall: {
    summary: 'take that back, byte for byte',
    examples: ['anyhook uninstall claude-code'],
    load: async () => ({ define: (await import('./install.ts')).defineUninstall }),
  },
  mcp: {
    summary: 'hooks around any MCP server: a proxy that an agent starts in its place',
    examples: [
      'anyhook mcp -- npx @modelcontextprotocol/server-everything',
      'anyhook mcp --http https://example.com/mcp',
    ],
    load: () => import('./mcp.ts'),
  },
  add: {
    summary: 'a ready hook, or somebody’s: shown, pinned by content, put in whole',
    examples: ['anyhook add', 'anyhook add destructive-commands'],
    load: () => import('./add.ts'),
  },
  remove: {
    summary: 'take out what was added',
    examples: ['anyhook remove destructive-commands'],
    load: async () => ({ define: (await import('./add.ts')).defineRemove }),
  },
  log: {
    summary: 'what hooks did, from the journal',
    examples: ['anyhook log --since 2h --verdict deny', 'anyhook log --follow'],
    load: () => import('./log.ts'),
  },
  verify: {
    summary: 'is the journal as it was written: changed, cut, moved or missing records, by the chain',
    examples: ['anyhook verify', 'anyhook verify --session s1 --json'],
    load: () => import('./verify.ts'),
  },
  view: {
    summary: 'see what your hooks did, in the browser, while agents work',
    examples: ['anyhook view', 'anyhook view --export today.html --day today'],
    load: () => import('./view.ts'),
  },
  replay: {
    summary: 'recorded events against the hooks as they are now: what would be decided otherwise',
    examples: ['anyhook replay'],
    load: () => import('./replay.ts'),
  },
  doctor: {
    summary: 'which agents are here, what would run where, and what is wrong with it',
    examples: ['anyhook doctor', 'anyhook doctor --probe codex'],
    load: () => import('./doctor.ts'),
  },
  hooks: {
    summary: 'a menu: look at hooks, switch them off and on, edit, try and trust them',
    examples: ['anyhook hooks'],
    load: () => import('./hooks.ts'),
  },
  init: {
    summary: 'a first hook with a test, typed or in the language you name',
    examples: ['anyhook init', 'anyhook init --user', 'anyhook init --kind python'],
    load: () => import('./init.ts'),
  },
  pause: {
    summary: 'switch all hooks off for a while: from a terminal, by you',
    examples: ['anyhook pause 30m'],
    load: () => import('./pause.ts'),
  },
  resume: {
    summary: 'switch them on again',
    examples: ['anyhook resume'],
    load: async () => ({ define: (await import('./pause.ts')).defineResume }),
  },
  reload: {
    summary: 'let agents that are running read their hooks anew',
    examples: ['anyhook reload'],
    load: () => import('./reload.ts'),
  },
  daemon: {
    summary: 'Show or stop the background process that answers agents',
    examples: ['anyhook daemon status', 'anyhook daemon stop'],
    load: () => import('./daemon.ts'),
  },
  bridge: {
    summary: 'Answer one event of an agent without the daemon',
    examples: ['anyhook bridge codex < event.json'],
    load: () => import('./bridge.ts'),
    hidden: true,
  },
  completion: {
    summary: 'a script that completes these commands in your shell',
    examples: ['anyhook completion fish > ~/.config/fish/completions/anyhook.fish'],
    load: () => import('./completion.ts'),
  },
};
