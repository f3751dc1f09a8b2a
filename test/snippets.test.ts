/**
 * Checks every snippet of the documentation: code compiles, settings are read without problems, and commands print
 * what is shown.
 */

import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { DIALECTS } from '../packages/anyhook/src/dialects.ts';
import { readDocument } from '../packages/anyhook/src/events/document.ts';

const ROOT = join(import.meta.dirname, '..');
const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-snippets-')));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

interface Snippet {
  readonly page: string;
  /** Counted from 1 among all snippets of its page. */
  readonly nth: number;
  readonly language: string;
  readonly text: string;
}
const PAGES = [
  'README.md',
  'packages/anyhook/README.md',
  'packages/agent/README.md',
  'packages/fleet/README.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];
const snippetsIn = (page: string, text: string): Snippet[] =>
  [...text.matchAll(/^```(\w+)\n(.*?)^```/gms)].map(([, language, body], at) => ({
    page,
    nth: at + 1,
    language: language!,
    text: body!,
  }));
const SNIPPETS = PAGES.flatMap((page) => snippetsIn(page, readFileSync(join(ROOT, page), 'utf8')));
const inLanguage = (...languages: readonly string[]) =>
  SNIPPETS.filter(({ language }) => languages.includes(language));
const nameOf = ({ page, nth }: Snippet) => `${page}, snippet ${nth}`;

test('every snippet is in a language that a test covers', () => {
  const tried = ['ts', 'json', 'jsonc', 'jsonl', 'yaml', 'console', 'sh', 'python', 'js'];
  expect(SNIPPETS.filter(({ language }) => !tried.includes(language)).map(nameOf)).toEqual([]);
});

/** Replacements for packages of other agents. */
const STAND_INS = {
  '@oh-my-pi/pi-coding-agent/hooks': 'agents/oh-my-pi/api/index.d.ts',
  '@anthropic-ai/claude-agent-sdk': 'agents/claude-agent-sdk/api/index.d.ts',
};

/** Compiler errors by snippet. A snippet without imports continues the previous one on its page. */
function faultsOf(snippets: readonly Snippet[]): string[] {
  const folder = mkdtempSync(join(scratch, 'code-'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  copyFileSync(join(import.meta.dirname, 'fixtures/docs/reader.d.ts'), join(folder, 'reader.d.ts'));
  const names = new Map<string, Snippet>();
  let before = '';
  for (const [at, snippet] of snippets.entries()) {
    const goesOn = snippets[at - 1]?.page === snippet.page && !/^import /m.test(snippet.text);
    before = goesOn ? `${before}\n${snippet.text}` : snippet.text;
    writeFileSync(join(folder, `${at}.ts`), `${before}\nexport {};\n`);
    names.set(`${at}.ts`, snippet);
  }
  const dist = join(ROOT, 'packages/anyhook/dist');
  const compilerOptions = {
    noEmit: true,
    noImplicitReturns: false,
    noUnusedLocals: false,
    noUnusedParameters: false,
    paths: Object.fromEntries(Object.entries(STAND_INS).map(([name, file]) => [name, [join(dist, file)]])),
  };
  const settings = { extends: join(ROOT, 'tsconfig.base.json'), compilerOptions, include: ['*.ts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], {
    cwd: folder,
    encoding: 'utf8',
  });
  return stdout
    .split(/\n(?! )/) // An indented line continues the previous one.
    .filter(Boolean)
    .map((line) => line.replace(/^(\d+\.ts)\(\d+,\d+\)/, (_, file: string) => nameOf(names.get(file)!)));
}

test('every code snippet compiles against the published types', { timeout: 120_000 }, () => {
  const code = inLanguage('ts');
  expect(code.length).toBeGreaterThan(20);
  const planted = { page: 'planted.md', nth: 1, language: 'ts' };
  const wrong =
    "import { createHooks } from 'anyhook';\nawait createHooks({ hots: { name: 'x', can: {} } });";
  expect(faultsOf([...code, { ...planted, text: wrong }])).toEqual([
    expect.stringMatching(/^planted\.md, snippet 1: error [^]*hots/),
  ]);
});

describe('settings', () => {
  /** The dialect of the page; on other pages that of Claude Code. */
  function dialectOf({ page, text }: Snippet) {
    const own = /docs\/dialects\/([\w-]+)\.md/.exec(page)?.[1];
    const name = own ?? (text.includes('"type": "http"') ? 'claude-code' : 'anyhook');
    return DIALECTS.find((dialect) => dialect.name === name);
  }
  const KEYS = ['hooks', 'experimental', 'disabled'];
  const isSettings = ({ text, page }: Snippet) => {
    const { value } = readDocument(text, page);
    return typeof value === 'object' && value !== null && KEYS.some((key) => Object.hasOwn(value, key));
  };
  test.each(
    inLanguage('json', 'jsonc')
      .filter(isSettings)
      .map((one) => [nameOf(one), one] as const),
  )('the settings of %s are read without a problem', (_name, one) => {
    const dialect = dialectOf(one)!;
    const places = [
      { layer: 'user', file: one.page },
      { layer: 'project', file: one.page, folder: '/project' },
    ] as const;
    const problems = places.map((place) => dialect.config.read(one.text, place).problems);
    // Some settings are valid only for the user, and a project path is not valid in the home.
    expect(problems).toContainEqual([]);
  });
});

/** `npm run test:peers` runs them, with the packages that they import. */
test('every JavaScript snippet can be parsed', () => {
  const file = join(scratch, 'snippet.mjs');
  for (const { text } of inLanguage('js')) {
    writeFileSync(file, text);
    expect(spawnSync(process.execPath, ['--check', file], { encoding: 'utf8' }).stderr).toBe('');
  }
});

const hasPython = spawnSync('python3', ['--version']).status === 0;
test.skipIf(!hasPython)('every Python snippet can be parsed', () => {
  const script = 'import ast, sys; ast.parse(sys.stdin.read())';
  for (const { text } of inLanguage('python'))
    expect(spawnSync('python3', ['-c', script], { input: text, encoding: 'utf8' }).stderr).toBe('');
});

test('every line of jsonl is JSON', () => {
  for (const { text } of inLanguage('jsonl'))
    for (const line of text.trim().split('\n')) expect(() => JSON.parse(line) as unknown).not.toThrow();
});

/** Commands with the output shown below them. A line that ends with a pipe continues. */
function sessionIn({ text }: Snippet): { typed: string; shown: string }[] {
  const parts = text.replaceAll(/\|\n\s+/g, '| ').split(/^\$ /m);
  return parts.slice(1).map((part) => {
    const [typed = '', ...shown] = part.trimEnd().split('\n');
    return { typed, shown: shown.join('\n') };
  });
}

describe('what is typed', () => {
  test.each(inLanguage('sh', 'console').map((one) => [nameOf(one), one] as const))(
    'in %s is a line for a shell',
    (_name, one) => {
      const script =
        one.language === 'sh'
          ? one.text
          : sessionIn(one)
              .map(({ typed }) => typed)
              .join('\n');
      const { status, stderr } = spawnSync('bash', ['-n'], { input: script, encoding: 'utf8' });
      expect([status, stderr]).toEqual([0, '']);
    },
  );

  /** These pages depend on installed agents and running programs: see `shown-pages.test.ts`. */
  const ELSEWHERE = new Set(['docs/doctor.md', 'docs/daemon.md', 'docs/menu.md']);
  const answered = inLanguage('console').filter(
    (one) => !ELSEWHERE.has(one.page) && sessionIn(one).some(({ shown }) => shown !== ''),
  );
  const CLI = join(ROOT, 'packages/anyhook/dist/bin/anyhook.cjs');

  /** The user's only guard, chosen by what a page shows of it. */
  const GUARDS: readonly (readonly [shown: RegExp, guard: object])[] = [
    [
      /no-push/,
      {
        match: 'shell(git push*)',
        run: "echo 'ask a person first' >&2; exit 2",
        name: 'no-push',
        onFailure: 'ask',
      },
    ],
    [/no-force/, { match: 'shell(rm -rf*)', run: "echo 'Use the trash.' >&2; exit 2", name: 'no-force' }],
    [/no rm here/, { match: 'shell(rm*)', run: "echo 'no rm here' >&2; exit 2", name: 'no-rm' }],
    [
      /not for agents/,
      { match: 'shell(rm*)', run: "echo 'rm -rf is not for agents' >&2; exit 2", name: 'no-rm' },
    ],
  ];
  /** The files of that page: the guard is in line 4 of the user's settings, everything else is in the project. */
  function worldOf({ text }: Snippet): { home: string; project: string } {
    const place = mkdtempSync(join(scratch, 'world-'));
    const put = (path: string, content: string) => {
      mkdirSync(dirname(join(place, path)), { recursive: true });
      writeFileSync(join(place, path), content, { mode: 0o755 });
    };
    const guard = GUARDS.find(([shown]) => shown.test(text))?.[1];
    put(
      'home/.config/anyhook/hooks.json',
      `{\n"hooks": {\n"tool.before": [\n${guard === undefined ? '' : JSON.stringify(guard)}\n]}}`,
    );
    mkdirSync(join(place, 'project'));
    if (text.includes('.opta/')) {
      const entry = { event: 'tool.pre', command: '.opta/hooks/guard.sh' };
      put('project/.opta/config.json', JSON.stringify({ hooks: [entry] }));
      put('project/.opta/hooks/guard.sh', '#!/bin/sh\n');
    }
    if (text.includes('hooks/all.sh')) {
      const entry = { match: 'shell', run: 'sh hooks/all.sh' };
      put('project/.anyhook/hooks.json', JSON.stringify({ hooks: { 'tool.before': [entry] } }));
      put('project/hooks/all.sh', 'for f in hooks/*.d; do sh "$f"; done\n');
    }
    return { home: join(place, 'home'), project: join(place, 'project') };
  }

  test.each(answered.map((one) => [nameOf(one), one] as const))(
    'in %s is answered as shown',
    { timeout: 120_000 },
    (_name, one) => {
      const { home, project } = worldOf(one);
      const session = sessionIn(one);
      const script = session.map(({ typed }) => `${typed}\nlast=$?; echo "<end>"; (exit $last)`).join('\n');
      const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: '', XDG_STATE_HOME: '', NO_COLOR: '1' };
      const said = execFileSync(
        'bash',
        ['-c', `anyhook() { "${process.execPath}" "${CLI}" "$@" 2>&1; }\n${script}\ntrue`],
        { cwd: project, env, encoding: 'utf8' },
      );
      const answers = said
        .replaceAll(home, '/home/me')
        .replaceAll(/sha256:\w+/g, 'sha256:…')
        .split('<end>\n')
        .slice(0, -1);
      expect(answers.map((answer) => answer.trimEnd())).toEqual(session.map(({ shown }) => shown));
    },
  );
});
