/** The table of commands: a new one is a module and a line. Its module is loaded when it is called, and not before. */
import type { Command } from 'commander';

/** Adds arguments and options, and says how the command ended: 0 done, 1 it found what it looks for, 2 wrong use. */
export type Define = (command: Command, done: (code: number) => void) => void;

interface Row {
  /** For the list of commands; the module adds the rest. */
  readonly summary: string;
  readonly load: () => Promise<{ readonly define: Define }>;
  /** For programs, not for people. */
  readonly hidden?: true;
}

export const COMMANDS: Readonly<Record<string, Row>> = {
  fire: {
    summary: "apply all hooks to an agent's event: its payload on stdin, its answer out",
    load: () => import('./fire.ts'),
  },
  list: {
    summary: 'every hook found: where, when, whether it is trusted, what happens if it breaks',
    load: () => import('./list.ts'),
  },
  why: {
    summary: 'which hooks an event reaches, and why or why not',
    load: () => import('./why.ts'),
  },
  test: {
    summary: 'cases for hooks, judged by what several agents would make of them',
    load: () => import('./test.ts'),
  },
  trust: { summary: 'what of this project may run', load: () => import('./trust.ts') },
  install: {
    summary: 'let an agent run your hooks: shows what changes in its settings, and does it',
    load: () => import('./install.ts'),
  },
  uninstall: {
    summary: 'take that back, byte for byte',
    load: async () => ({ define: (await import('./install.ts')).defineUninstall }),
  },
  log: { summary: 'what hooks did, from the journal', load: () => import('./log.ts') },
  replay: {
    summary: 'recorded events against the hooks as they are now: what would be decided otherwise',
    load: () => import('./replay.ts'),
  },
  doctor: {
    summary: 'which agents are here, what would run where, and what is wrong with it',
    load: () => import('./doctor.ts'),
  },
  hooks: {
    summary: 'a menu: look at hooks, switch them off and on, edit, try and trust them',
    load: () => import('./hooks.ts'),
  },
  init: { summary: 'a first hook, typed, with a test', load: () => import('./init.ts') },
  pause: {
    summary: 'switch all hooks off for a while: from a terminal, by you',
    load: () => import('./pause.ts'),
  },
  resume: {
    summary: 'switch them on again',
    load: async () => ({ define: (await import('./pause.ts')).defineResume }),
  },
  reload: {
    summary: 'let agents that are running read their hooks anew',
    load: () => import('./reload.ts'),
  },
  engine: {
    summary: 'the process that answers the events of agents without a start: look at it, or stop it',
    load: () => import('./engine.ts'),
  },
  completion: {
    summary: 'a script that completes these commands in your shell',
    load: () => import('./completion.ts'),
  },
};
