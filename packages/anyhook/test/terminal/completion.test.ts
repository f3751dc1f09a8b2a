/** Completion of values in the real shells, by the tab key. */

import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { removeTree } from '../../src/settings/remove-tree.ts';
import { hasTmux, openTerminal } from './tmux.ts';

const CLI = fileURLToPath(new URL('../../dist/bin/anyhook.cjs', import.meta.url));

interface Shell {
  readonly start: (script: string) => string;
}
const SHELLS: Readonly<Record<string, Shell>> = {
  bash: {
    start: (script) => `bash --noprofile --rcfile <(echo '. ${script}; PS1="ready> "') -i`,
  },
  zsh: { start: () => 'zsh -i' },
  fish: {
    start: (script) => `fish --no-config -C 'function fish_prompt; echo "ready> "; end; source ${script}'`,
  },
};

for (const [name, { start }] of Object.entries(SHELLS)) {
  const lacks = [
    ...(hasTmux() ? [] : ['tmux']),
    ...(spawnSync(name, ['-c', 'true']).status === 0 ? [] : [name]),
    ...(existsSync(CLI) ? [] : ['the built command']),
  ];
  if (lacks.length > 0)
    process.stderr.write(`Completion is not tried in ${name}: ${lacks.join(' and ')} is not here.\n`);

  test.skipIf(lacks.length > 0)(
    `${name} completes agents, events, dialects, recipes and names of hooks`,
    async () => {
      const root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-tab-')));
      for (const folder of ['home/.config/anyhook', 'project', 'bin'])
        mkdirSync(join(root, folder), { recursive: true });
      writeFileSync(join(root, 'bin/anyhook'), `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`);
      chmodSync(join(root, 'bin/anyhook'), 0o755);
      const settings = { hooks: { 'tool.before': [{ name: 'no-push', run: 'true' }] } };
      writeFileSync(join(root, 'home/.config/anyhook/hooks.json'), JSON.stringify(settings));
      const script = join(root, `completion.${name}`);
      writeFileSync(script, execFileSync(process.execPath, [CLI, 'completion', name]));
      writeFileSync(
        join(root, 'home/.zshrc'),
        `PS1='ready> '; autoload -Uz compinit; compinit -u -D; . ${script}\n`,
      );
      const env = {
        PATH: `${join(root, 'bin')}:${process.env['PATH'] ?? ''}`,
        HOME: join(root, 'home'),
        LANG: 'C.UTF-8',
        SHELL: '/bin/bash',
      };
      const terminal = openTerminal(start(script), env, join(root, 'project'));
      onTestFinished(() => {
        terminal.close();
        removeTree(root);
      });
      await terminal.sees('ready>');
      for (const [typed, whole] of [
        ['anyhook install cl', 'anyhook install claude-code'],
        ['anyhook why UserPromptS', 'anyhook why UserPromptSubmit'],
        ['anyhook fire --as goo', 'anyhook fire --as goose'],
        ['anyhook add destr', 'anyhook add destructive-commands'],
        ['anyhook log --hook no-', 'anyhook log --hook no-push'],
      ] as const) {
        terminal.types(typed);
        terminal.keys('Tab');
        expect(await terminal.sees(whole)).toContain(whole);
        terminal.keys('C-u', 'C-l');
      }
    },
  );
}
