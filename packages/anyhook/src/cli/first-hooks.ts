/** The hooks that `anyhook init` writes: one guard, in each of the ways in which a hook can be written. */
import { packageFile } from '../own-files.mjs';
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

export type HookKind = 'typescript' | 'json' | 'shell' | 'python';

/** A kind by the endings of its files. */
export const ENDINGS: Readonly<Record<HookKind, readonly string[]>> = {
  typescript: ['.ts', '.js', '.mjs'],
  json: ['.json'],
  shell: ['.sh'],
  python: ['.py'],
};

export interface FirstHook {
  /** Beside `hooks.json`. */
  readonly file: string;
  readonly text: string;
  /** What names it in `hooks.json`, called so; a module needs no name. */
  entry(call: string): object | undefined;
}

const REASON = 'rm -rf is for a person to run';

export const FIRST_HOOKS: Readonly<Record<HookKind, FirstHook>> = {
  typescript: {
    file: join('hooks', 'guard.ts'),
    entry: () => undefined,
    text: `import { defineHook, deny } from 'anyhook';

/** Keeps the agent from deleting whole folders by force. */
export default defineHook({
  on: 'tool.before',
  match: 'shell',
  name: 'no-rm-rf',
  run({ payload }) {
    const { command = '' } = payload.input;
    if (/\\brm\\s+-(?=\\w*r)(?=\\w*f)\\w+/.test(String(command)))
      return deny('${REASON}');
  },
});
`,
  },
  json: {
    file: 'hooks.json',
    text: '',
    entry: () => ({ match: 'shell(rm -rf*)', name: 'no-rm-rf', run: `echo '${REASON}' >&2; exit 2` }),
  },
  shell: {
    file: 'guard.sh',
    entry: (call) => ({ match: 'shell', name: 'no-rm-rf', run: [call] }),
    text: `#!/bin/sh
# Keeps the agent from deleting whole folders by force. The event comes as JSON on stdin; exit 2 refuses, with stderr as the reason.
if grep -Eq '"command": *"([^"]*[^[:alnum:]])?rm +-[[:alpha:]]*(r[[:alpha:]]*f|f[[:alpha:]]*r)'; then
  echo '${REASON}' >&2
  exit 2
fi
`,
  },
  python: {
    file: 'guard.py',
    entry: (call) => ({ match: 'shell', name: 'no-rm-rf', run: [call] }),
    text: `#!/usr/bin/env python3
"""Keeps the agent from deleting whole folders by force. The event comes as JSON on stdin; exit 2 refuses, with stderr as the reason."""
import json
import re
import sys

event = json.load(sys.stdin)
command = str(event["input"].get("command", ""))
if re.search(r"\\brm\\s+-(?=\\w*r)(?=\\w*f)\\w+", command):
    print("${REASON}", file=sys.stderr)
    sys.exit(2)
`,
  },
};

/** The same two questions to each of them. Hooks of settings are those of the project. */
export function caseFor({ entry }: FirstHook, hook: string, isSettings: boolean): string {
  const subject =
    entry('') === undefined
      ? `hook: ./${basename(hook)}\n`
      : isSettings
        ? ''
        : `command: ./${basename(hook)}\nas: [anyhook]\n`;
  return `# anyhook test: what the hook is asked, and what must come of it.
${subject}cases:
  - name: rm -rf is refused
    event: tool.before
    tool: shell
    input: { command: rm -rf build }
    expect: deny

  - name: a harmless command passes
    event: tool.before
    tool: shell
    input: { command: ls -la }
    expect: none
`;
}

/** For `tsc` and editors. The person's own folder has no packages of its own: there our types are named where they lie. */
export function typesFor(
  settings: string,
  whose: 'user' | 'project',
): { readonly file: string; readonly text: string } {
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2023',
    lib: ['esnext'],
    types: [],
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    ...(whose === 'user' && { paths: ownTypes() }),
  };
  return {
    file: join(dirname(settings), 'tsconfig.json'),
    text: `${JSON.stringify({ compilerOptions, include: ['hooks'] }, null, 2)}\n`,
  };
}

/** `anyhook`, and each of its parts that a hook can import. */
function ownTypes(): Readonly<Record<string, readonly string[]>> {
  const { exports } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as {
    exports: Readonly<Record<string, { readonly types?: string }>>;
  };
  return Object.fromEntries(
    Object.entries(exports).flatMap(([name, { types }]) =>
      types === undefined ? [] : [[name.replace('.', 'anyhook'), [packageFile(types)]]],
    ),
  );
}
