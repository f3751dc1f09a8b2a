/**
 * `anyhook add` of a plugin that was published for another agent, with its dependencies, from a registry on loopback.
 */

import { execFile, execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startRegistry } from './first-minutes/loopback-registry.ts';

const ROOT = join(import.meta.dirname, '..');
const ANYHOOK = join(ROOT, 'packages/anyhook/dist/bin/anyhook.cjs');
const PERSON = join(ROOT, 'packages/anyhook/test/person.sh');
const LONG_MS = 300_000;

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-add-npm-')));
  for (const folder of ['home', 'project']) mkdirSync(join(root, folder));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** An OpenCode plugin whose verdict comes from one of its dependencies. */
function published(version: string, pattern: string): Readonly<Record<string, string>> {
  const folder = join(root, `v${version}`);
  mkdirSync(folder);
  const about = {
    name: 'opencode-no-upload',
    version,
    type: 'module',
    main: 'plugin.js',
    dependencies: { picomatch: '*' },
    devDependencies: { elsewhere: 'workspace:*' },
    peerDependencies: { '@opencode-ai/plugin': '*' },
    scripts: { install: 'touch ran', postinstall: 'touch ran' },
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(about));
  writeFileSync(
    join(folder, 'plugin.js'),
    `import picomatch from 'picomatch';
const fits = picomatch('${pattern}', { bash: true });
export const NoUpload = async () => ({
  'tool.execute.before': async ({ tool }, { args }) => {
    if (tool === 'bash' && fits(args.command)) throw new Error('no upload ${version}');
  },
});
`,
  );
  const tarball = join(root, `${version}.tgz`);
  execFileSync('tar', ['-czf', tarball, '--transform=s,^\\.,package,', '-C', folder, '.']);
  return { [relative(ROOT, folder)]: tarball };
}

async function typed(registry: { readonly url: string }, line: string, input = ''): Promise<string> {
  const env = {
    PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: join(root, 'home'),
    TERM: 'dumb',
    npm_config_registry: registry.url,
    npm_config_cache: join(root, 'cache'),
  };
  return await new Promise((resolve) => {
    const command = line.replaceAll('anyhook ', `'${process.execPath}' '${ANYHOOK}' `);
    const child = execFile('sh', ['-c', command], { cwd: join(root, 'project'), env }, (_, stdout, stderr) =>
      resolve(stdout + stderr),
    );
    child.stdin!.end(input);
  });
}
const asked = (command: string): string =>
  JSON.stringify({
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command },
    cwd: join(root, 'project'),
    session_id: 's',
  });

test(
  'a plugin with dependencies is pinned with them, judges in another agent, is updated after showing the difference, and is removed completely',
  async () => {
    const config = join(root, 'home/.config/anyhook');
    const first = await startRegistry(ROOT, published('1.0.0', 'scp *'));
    try {
      const shown = await typed(first, `echo y | '${PERSON}' anyhook add opencode-no-upload`);
      expect(shown).toMatch(/── what it needs, brought with it\n\+ picomatch \d/);
      expect(shown).toMatch(
        /opencode-no-upload 1\.0\.0 from\s+opencode-no-upload, hooks of opencode\nsha256:/,
      );
      expect(shown).toContain('Added. What it listens to: anyhook list');
    } finally {
      first.close();
    }
    const folder = join(config, 'added/opencode-no-upload');
    expect([existsSync(join(folder, 'node_modules/picomatch')), existsSync(join(folder, 'ran'))]).toEqual([
      true,
      false,
    ]);
    const nowhere = { url: 'http://127.0.0.1:9' };
    const fire = 'anyhook fire --as claude-code --host claude-code';
    expect(await typed(nowhere, fire, asked('scp a b'))).toContain('no upload 1.0.0');
    expect(await typed(nowhere, fire, asked('rsync c d'))).not.toContain('no upload');
    expect(await typed(nowhere, 'anyhook list')).toContain('Added\n  opencode-no-upload 1.0.0 (opencode)\n');

    const second = await startRegistry(ROOT, published('1.1.0', '{scp,rsync} *'));
    try {
      const shown = await typed(second, `echo y | '${PERSON}' anyhook add opencode-no-upload`);
      expect(shown).toContain("-const fits = picomatch('scp *', { bash: true });");
      expect(shown).toContain("+const fits = picomatch('{scp,rsync} *', { bash: true });");
      expect(shown).not.toContain("import picomatch from 'picomatch';\n─"); // Only the differences.
      expect(shown).toContain('Updated. ');
    } finally {
      second.close();
    }
    expect(await typed(nowhere, fire, asked('rsync c d'))).toContain('no upload 1.1.0');
    await typed(nowhere, `'${PERSON}' anyhook remove opencode-no-upload`);
    expect([existsSync(folder), existsSync(join(config, 'hooks.lock.json'))]).toEqual([false, false]);
    expect(readFileSync(join(config, 'hooks.json'), 'utf8')).toBe('{\n}\n');
    expect(await typed(nowhere, fire, asked('rsync c d'))).not.toContain('no upload');
  },
  LONG_MS,
);

test(
  'a package that npm does not have or cannot install is reported in one sentence',
  async () => {
    const registry = await startRegistry(ROOT, {});
    try {
      expect(await typed(registry, 'anyhook add no-such-package --dry-run')).toMatch(
        /^anyhook: add: "no-such-package" is not a recipe \(.*\) or a file, and npm has no such package/,
      );
      mkdirSync(join(root, 'project/needy'));
      writeFileSync(
        join(root, 'project/needy/package.json'),
        '{ "anyhook": { "hooks": ["./a.ts"] }, "dependencies": { "no-such-package": "1" } }',
      );
      writeFileSync(join(root, 'project/needy/a.ts'), '');
      expect(await typed(registry, 'anyhook add ./needy --dry-run')).toMatch(
        /^anyhook: add: it needs no-such-package, and npm could not install them: ./,
      );
    } finally {
      registry.close();
    }
  },
  LONG_MS,
);
