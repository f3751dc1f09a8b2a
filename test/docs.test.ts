/** Checks the documentation: imported names are exported, commands and flags exist, and data can be read. */

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { COMMANDS } from '../packages/anyhook/src/cli/commands.ts';
import { commandTree } from '../packages/anyhook/src/cli/program.ts';
import { readDocument } from '../packages/anyhook/src/events/document.ts';

const ROOT = join(import.meta.dirname, '..');
const PAGES = [
  'README.md',
  'packages/anyhook/README.md',
  'packages/agent/README.md',
  'packages/fleet/README.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];
interface Block {
  readonly page: string;
  readonly language: string;
  readonly text: string;
}
const textOf = (page: string): string => readFileSync(join(ROOT, page), 'utf8');
const blocksIn = (page: string, text: string): Block[] =>
  [...text.matchAll(/^```(\w+)\n(.*?)^```/gms)].map(([, language, body]) => ({
    page,
    language: language!,
    text: body!,
  }));
const BLOCKS = PAGES.flatMap((page) => blocksIn(page, textOf(page)));
const CODE = new Set(['ts', 'js', 'mjs', 'typescript', 'javascript']);

/** All names that each module exports, including types, from the built package. */
function exported(): ReadonlyMap<string, ReadonlySet<string>> {
  const entries = ['anyhook', 'agent'].flatMap((name) => {
    const manifest = JSON.parse(textOf(`packages/${name}/package.json`)) as {
      name: string;
      exports: Record<string, string | { types?: string }>;
    };
    return Object.entries(manifest.exports).flatMap(([path, to]) =>
      typeof to === 'string' || to.types === undefined
        ? []
        : [{ module: manifest.name + path.slice(1), file: join(ROOT, 'packages', name, to.types) }],
    );
  });
  return new Map(entries.map(({ module, file }) => [module, namesIn(file)]));
}

/** The exports of a declaration file, including re-exports. */
function namesIn(file: string): ReadonlySet<string> {
  const text = readFileSync(file, 'utf8');
  const listed = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, names]) =>
    names!.split(',').map((name) =>
      name
        .trim()
        .split(/\s+as\s+/)
        .at(-1)!
        .replace(/^type\s+/, ''),
    ),
  );
  const declared = [
    ...text.matchAll(
      /^export (?:declare )?(?:abstract )?(?:async )?(?:function|const|class|interface|type) (\w+)/gm,
    ),
  ].map(([, name]) => name!);
  const others = [...text.matchAll(/^export \* from '([^']+)'/gm)].flatMap(([, from]) => [
    ...namesIn(join(dirname(file), from!.replace(/\.js$/, '.d.ts'))),
  ]);
  return new Set([...listed, ...declared, ...others].filter(Boolean));
}

/** Names that a snippet imports but we do not export, and our factories that it calls without an import. */
function wrongNames({ page, text }: Block, known: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const imports = [...text.matchAll(/import\s+(?:type\s+)?\{([^}]*)\}\s+from\s+'(@?anyhook[^']*)'/g)].flatMap(
    ([, names, module]) =>
      names!
        .split(',')
        .map(
          (name) =>
            name
              .trim()
              .replace(/^type\s+/, '')
              .split(/\s+as\s+/)[0]!,
        )
        .filter(Boolean)
        .map((name) => ({ module: module!, name })),
  );
  const foreign = imports
    .filter(({ module, name }) => known.get(module)?.has(name) !== true)
    .map(({ module, name }) => `${page}: ${name} is not exported by ${module}`);
  const all = new Set([...known.values()].flatMap((names) => [...names]));
  const called = [...text.matchAll(/(?<![.\w])((?:open|create|make|load|define|discover)[A-Z]\w*)\s*\(/g)]
    .map(([, name]) => name!)
    .filter((name) => !all.has(name) && !isMadeIn(text, name))
    .map((name) => `${page}: ${name} is neither exported nor made in the snippet`);
  return [...foreign, ...called];
}

const isMadeIn = (text: string, name: string): boolean =>
  new RegExp(`(?:function|const|let) ${name}\\b|import\\s*\\{[^}]*\\b${name}\\b`).test(text);

test('every name that a snippet imports and every factory that it calls is exported', () => {
  const known = exported();
  expect(known.get('anyhook')?.has('createHooks')).toBe(true);
  const blocks = BLOCKS.filter(({ language }) => CODE.has(language));
  expect(blocks.length).toBeGreaterThan(20);
  expect(blocks.flatMap((block) => wrongNames(block, known))).toEqual([]);
  const planted = {
    page: 'p.md',
    language: 'ts',
    text: "import { createHook } from 'anyhook';\nopenJournal({});",
  };
  expect(wrongNames(planted, known)).toEqual([
    'p.md: createHook is not exported by anyhook',
    'p.md: openJournal is neither exported nor made in the snippet',
  ]);
});

/** Flags by command: `anyhook trust add`. */
async function flags(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const cli = await commandTree(Object.keys(COMMANDS), () => {});
  const found = new Map<string, ReadonlySet<string>>();
  for (const command of cli.commands) {
    const all = [command, ...command.commands].flatMap(({ options }) =>
      options.flatMap(({ long, short }) => [long, short].filter((one) => one !== undefined && one !== null)),
    );
    found.set(command.name(), new Set([...all, '--help', '-h']));
  }
  // The commands that fire hooks parse arguments themselves. This is the short form of `--project`.
  found.set('fire', new Set([...(found.get('fire') ?? []), '--cwd']));
  return found;
}

/** Command lines in code blocks and running text of a page. */
function wrongCalls(page: string, text: string, known: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const calls = [...text.matchAll(/(?<![\w/@.-])anyhook ([a-z]+)((?: (?:'[^']*'|"[^"]*"|[^\s`|;#&()]+))*)/g)];
  return calls.flatMap(([, command, rest]) => {
    const own = known.get(command!);
    const words = rest!.replace(/'[^']*'|"[^"]*"/g, '').split(/\s+/);
    const given = words.filter((word) => /^--?[a-z]/.test(word)).map((word) => word.split('=')[0]!);
    if (own === undefined) return given.length > 0 ? [`${page}: there is no command anyhook ${command}`] : [];
    return given.filter((flag) => !own.has(flag)).map((flag) => `${page}: anyhook ${command} has no ${flag}`);
  });
}

test('every flag that a page passes to a command exists', async () => {
  const known = await flags();
  expect(PAGES.flatMap((page) => wrongCalls(page, textOf(page), known))).toEqual([]);
  expect(wrongCalls('p.md', '`anyhook why --lost` and `anyhook liszt --json`', known)).toEqual([
    'p.md: anyhook why has no --lost',
    'p.md: there is no command anyhook liszt',
  ]);
});

test('every settings example can be read', () => {
  const faults = BLOCKS.flatMap(({ page, language, text }) => {
    if (language === 'json' || language === 'jsonc')
      return readDocument(text, page).problems.map(({ message }) => `${page}: ${message}`);
    if (language === 'yaml' || language === 'yml')
      return parseAllDocuments(text).flatMap(({ errors }) =>
        errors.map(({ message }) => `${page}: ${message}`),
      );
    return [];
  });
  expect(faults).toEqual([]);
});

/** Names of other packages and programs, and a typo that a page discusses. */
const THEIRS = new Set(
  'ExtensionAPI ExtensionContext ExtensionFactory ProxyCommand reasoningEffort PreTolUse'.split(' '),
);
/** Includes recorded payloads of agents. */
const SOURCES = ['anyhook', 'agent', 'fleet'].flatMap((name) =>
  readdirSync(join(ROOT, 'packages', name, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.m?[jt]s$|\brecorded\/.*\.json$/.test(file) && !/\.test(-d)?\.ts$/.test(file))
    .map((file) => textOf(join('packages', name, 'src', file))),
);

/** Compound names (`loadPlugins`, `HookRunner`) that running text shows as code and no source contains. */
function unknownNames(page: string, text: string, known: ReadonlySet<string>): string[] {
  const running = text.replaceAll(/^```.*?^```/gms, '');
  const names = [...running.matchAll(/`([^`\n]+)`/g)].flatMap(
    ([, code]) => code!.match(/\b(?:[a-z]+|[A-Z][a-z]+)[A-Z]\w*\b/g) ?? [],
  );
  return [...new Set(names)]
    .filter((name) => !known.has(name) && !THEIRS.has(name))
    .map((name) => `${page}: nothing is called ${name}`);
}

test('every name that running text shows as code is in the sources', () => {
  const known = new Set(SOURCES.flatMap((text) => text.match(/[A-Za-z_$][\w$]*/g) ?? []));
  // The list of tests contains test titles.
  const pages = PAGES.filter((page) => !page.endsWith('seeds.md'));
  expect(pages.flatMap((page) => unknownNames(page, textOf(page), known))).toEqual([]);
  expect(unknownNames('p.md', '`openJournalNow()` and `createHooks`', known)).toEqual([
    'p.md: nothing is called openJournalNow',
  ]);
});

test('CONTRIBUTING.md describes every suite and no missing one', () => {
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
  const told = [...textOf('CONTRIBUTING.md').matchAll(/^\| `npm run (test:[\w-]+)`/gm)].map(
    ([, name]) => name!,
  );
  const suites = Object.keys(scripts).filter((name) => name.startsWith('test:') && name !== 'test:quick');
  expect(told.toSorted()).toEqual(suites.toSorted());
});
