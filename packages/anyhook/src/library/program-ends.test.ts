/** How programs that embed hooks end, and what they leave behind. Runs the built package in child processes. */

import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { before, ground, OPTA, type TestGround, until, USER } from './fixtures/ground.ts';

const DOOR = new URL('../../dist/index.js', import.meta.url).href;
const run = promisify(execFile);

const PROGRAM = (body: string) => `
import { createHooks, defineHook } from ${JSON.stringify(DOOR)};
import { EVERYTHING } from ${JSON.stringify(new URL('testing/index.js', DOOR).href)};
const open = (more = {}) => createHooks({ host: { name: 'program', can: EVERYTHING }, ...more });
const shell = { name: 'tool.before', payload: { tool: 'shell', input: { command: 'ls' } } };
${body}`;
const start = ({ cwd, home, put }: TestGround, body: string, env = {}) =>
  run(process.execPath, [put('program.mjs', PROGRAM(body))], {
    cwd,
    env: { ...process.env, HOME: home, XDG_CONFIG_HOME: '', XDG_STATE_HOME: '', ...env },
    timeout: 25_000, // a program that is kept alive is ended, and the test fails
  });

describe('a program that ends without close()', () => {
  test('a program ends by itself without close, whatever kinds of hooks it fired', async () => {
    const place = ground({
      [USER]: before({ run: 'true' }, { run: 'sleep 1', background: true }),
      'home/.config/anyhook/hooks/mine.mjs': `import { defineHook } from 'anyhook';\nexport default defineHook({ on: 'tool.before', run: async () => {} });`,
      'project/.anyhook/hooks/theirs.mjs': `import { defineHook } from 'anyhook';\nexport default defineHook({ on: 'tool.before', run: async () => {} });`,
    });
    const { stdout } = await start(
      place,
      `const first = await open();
       const hooks = await open({ trust: { hashes: first.examined.map((one) => one.judgement.hash) } });
       const { verdict, runs } = await hooks.fire(shell);
       console.log(verdict, runs.length);`,
    );
    expect(stdout.trim()).toBe('none 5');
  });

  test('a program ends by itself if no hook is configured', async () => {
    const { stdout } = await start(ground(), `console.log((await (await open()).fire(shell)).verdict);`);
    expect(stdout.trim()).toBe('none');
  });
});

describe('a background hook at the end of a session', () => {
  test('a background hook at the end of a session outlives a program that exits at once, and makes its commit', async () => {
    const place = ground({
      [OPTA]: {
        hooks: [
          { event: 'session.end', command: "git add -A && git commit -m 'opta: done'", background: true },
        ],
      },
      'project/work.txt': 'done\n',
    });
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', place.cwd, ...args], { encoding: 'utf8', stdio: 'pipe' }).trim();
    git('init', '-q');
    git('config', 'user.email', 'a@b.c');
    git('config', 'user.name', 'a');
    await start(place, `await (await open()).fire({ name: 'session.end', payload: {} }); process.exit(0);`);
    const log = () => {
      try {
        return git('log', '--format=%s');
      } catch {
        return '';
      }
    };
    await until(() => log() !== '');
    expect([log(), git('ls-files')]).toEqual(['opta: done', 'work.txt']);
  });
});

describe('a hook that starts a program that fires hooks', () => {
  const recursive = (copies: number) =>
    before({
      run: `echo $ANYHOOK_DEPTH >> "$TALLY"; for i in $(seq ${copies}); do node "$PROGRAM"; done; exit 0`,
    });
  const tally = async (copies: number) => {
    const place = ground({ [USER]: recursive(copies) });
    const file = join(place.root, 'tally');
    await start(place, `await (await open()).fire(shell);`, {
      TALLY: file,
      PROGRAM: join(place.root, 'program.mjs'),
    });
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  };

  test('a hook that starts a program that fires hooks ends three levels down', async () => {
    expect(await tally(1)).toEqual(['1', '2', '3']);
  });

  test('nested hooks end three levels down even without an inherited environment', async () => {
    const place = ground();
    const [file, program] = [join(place.root, 'tally'), join(place.root, 'program.mjs')];
    const run = `echo x >> ${file}; exec env -i PATH="$PATH" HOME=${place.home} ${process.execPath} ${program}`;
    place.put(USER, JSON.stringify(before({ run })));
    await start(place, `await (await open()).fire(shell);`);
    expect(readFileSync(file, 'utf8')).toBe('x\nx\nx\n');
  });

  test('nested hooks cannot reset the depth with exec', async () => {
    const place = ground();
    const file = join(place.root, 'tally');
    const body = `
      import { appendFileSync } from 'node:fs';
      const hooks = await open({ hooks: [defineHook({ on: 'tool.before', run: async (_, host) => {
        appendFileSync(process.env.TALLY, 'x');
        await host.exec(process.execPath, [process.argv[1]]);
      } })] });
      await hooks.fire(shell);`;
    await start(place, body, { TALLY: file });
    expect(readFileSync(file, 'utf8')).toBe('xxxx');
  });
});
