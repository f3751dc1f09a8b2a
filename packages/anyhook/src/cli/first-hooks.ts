/** The hooks that `anyhook init` writes: one guard, in each language. */

import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { packageFile } from '../own-files.mjs';

export type HookKind = 'typescript' | 'json' | 'shell' | 'python';

/** The file extensions of each kind. */
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
  /** Its entry in `hooks.json`; undefined for a module, which is found by its folder. */
  entry(call: string): object | undefined;
}

const REASON = 'rm -rf needs a person. Move it to the trash instead.';
const MATCH = 'shell(rm -rf*)';

export const FIRST_HOOKS: Readonly<Record<HookKind, FirstHook>> = {
  typescript: {
    file: join('hooks', 'guard.ts'),
    entry: () => undefined,
    text: `import { defineHook, deny } from 'anyhook';

/** Refuses rm -rf, however it is spelled: the matcher understands shell commands. */
export default defineHook({
  on: 'tool.before',
  match: '${MATCH}',
  name: 'no-rm-rf',
  run: () => deny('${REASON}'),
});
`,
  },
  json: {
    file: 'hooks.json',
    text: '',
    entry: () => ({ match: MATCH, name: 'no-rm-rf', run: `echo '${REASON}' >&2; exit 2` }),
  },
  shell: {
    file: 'guard.sh',
    entry: (call) => ({ match: MATCH, name: 'no-rm-rf', run: [call] }),
    text: `#!/bin/sh
# Runs for every command that matches ${MATCH} in hooks.json. The event is JSON on stdin; exit 2 refuses, stderr is the reason.
echo '${REASON}' >&2
exit 2
`,
  },
  python: {
    file: 'guard.py',
    entry: (call) => ({ match: MATCH, name: 'no-rm-rf', run: [call] }),
    text: `#!/usr/bin/env python3
"""Runs for every command that matches ${MATCH} in hooks.json. The event is JSON on stdin; exit 2 refuses, stderr is the reason."""
import json
import sys

event = json.load(sys.stdin)
command = event["input"].get("command", "")
print(f"Not run: {command}. ${REASON}", file=sys.stderr)
sys.exit(2)
`,
  },
};

/** The same cases for every language. Hooks in settings are tested as the project's hooks. */
export function caseFor({ entry }: FirstHook, hook: string, isSettings: boolean): string {
  const subject =
    entry('') === undefined
      ? `hook: ./${basename(hook)}\n`
      : isSettings
        ? ''
        : `command: ./${basename(hook)}\nmatch: ${MATCH}\nas: [anyhook]\n`;
  const cases = [
    ['rm -rf is refused', 'rm -rf build', 'deny'],
    ['rm with separate options is refused', 'rm -r -f x', 'deny'],
    ['rm -rf behind another command is refused', 'echo "hi" && rm -rf x', 'deny'],
    ['a command that only mentions it passes', "echo 'rm -rf x'", 'none'],
    ['a harmless command passes', 'ls -la', 'none'],
  ].map(
    ([name, command, expect]) => `  - name: ${name}
    event: tool.before
    tool: shell
    input: { command: ${JSON.stringify(command)} }
    expect: ${expect}
`,
  );
  return `# Run with: anyhook test
${subject}cases:
${cases.join('\n')}`;
}

/** Settings for `tsc` and editors. The user's own folder has no packages, so there our types are named by path. */
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
