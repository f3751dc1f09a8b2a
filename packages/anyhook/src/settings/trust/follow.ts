import { isUtf8 } from 'node:buffer';
import { join, relative } from 'node:path';
import { commandText } from '../../shell/files-run/command-text.ts';
import type { FoundWord, Visitor, ShellFacts } from '../../shell/files-run/visitor.ts';
import { walkShell } from '../../shell/files-run/walk.ts';
import { doubtsIn, STARTS } from '../../shell/references/doubts.ts';
import { javascriptRefs, packageRefs } from '../../shell/references/javascript.ts';
import { languageOf, shebangIn, type ReadLanguage } from '../../shell/references/language.ts';
import { quotedCode } from '../../shell/references/literals.ts';
import { perlRefs } from '../../shell/references/perl.ts';
import { isForeignModule, pythonFiles, pythonRefs } from '../../shell/references/python.ts';

/** Finds the files that a file of code refers to by literal paths. Paths that do not exist are ignored. */
export interface Leads {
  /** Relative to the folder of the file. */
  readonly near: readonly string[];
  /** Relative to the folder of the program that runs it. */
  readonly nearZero: readonly string[];
  /** Words of a shell script, and of the first line of any script. */
  readonly found: readonly FoundWord[];
  /** Files of code that it may start itself, from their original path instead of the copy. */
  readonly started?: readonly string[];
  /** It depends on the nearest `package.json` above it. */
  readonly asksPackage?: boolean;
  /** Installed Python modules, unless they are in the project. */
  readonly modules?: readonly string[];
  /** Why it is impossible to tell everything that it runs. */
  readonly doubts: readonly string[];
  readonly programs: readonly string[];
  readonly functions: readonly string[];
}

const NOWHERE: Leads = { near: [], nearZero: [], found: [], doubts: [], programs: [], functions: [] };

export interface FollowedFile {
  readonly name: string;
  readonly bytes: Buffer;
  /** The program that reads it, if known. */
  readonly as?: ReadLanguage;
}

export function follow(file: FollowedFile, facts: ShellFacts, isFolder: (near: string) => boolean): Leads {
  const language = languageOf(file.name, file.bytes, file.as);
  const head = file.as === 'exec' ? followShebang(file.bytes, facts) : NOWHERE;
  const text = file.bytes.toString('utf8');
  const body = (): Leads => {
    switch (language) {
      case 'none':
        return NOWHERE;
      case 'shell':
        return followShell(file.bytes, facts);
      case 'python':
        return followPython(text, isFolder);
      case 'package':
        return { ...NOWHERE, ...packageRefs(text) };
      case 'javascript':
        return { ...NOWHERE, ...javascriptRefs(text) };
      case 'perl':
        return { ...NOWHERE, near: unique(perlRefs(text)), doubts: doubtsIn(text, language) };
      default:
        return { ...NOWHERE, near: unique(quotedCode(text)), doubts: doubtsIn(text, language) };
    }
  };
  const leads = joined(head, body());
  const isStarting = language !== 'shell' && leads.doubts.some((doubt) => doubt.includes(STARTS));
  return isStarting ? { ...leads, started: unique(quotedCode(text)) } : leads;
}

/**
 * Resolves started files next to the script and in the working folder. `./x.sh`, and a bare name that is not
 * next to the script, is relative to the working folder.
 */
export function startedPaths(
  { started = [] }: Leads,
  bases: readonly string[],
  cwd: string,
  isFile: (path: string) => boolean,
): string[] {
  return started.flatMap((near) => {
    const beside = bases.map((base) => join(base, near)).filter(isFile);
    const here = near.includes('/') || beside.length === 0 ? [join(cwd, near)].filter(isFile) : [];
    return [...new Set([...beside, ...here])];
  });
}
export const startedDoubt = (by: string, path: string, root: string): string =>
  `${by}: it may start the original ${relative(root, path)} instead of the trusted copy, so a change while it runs is not detected`;

/**
 * Parses `#!program option` like the words of a command. The kernel resolves them from the working folder.
 */
export function shebangWords(line: string): readonly [string, ...string[]] | undefined {
  const [program, ...rest] = line.split(/\s+/).filter(Boolean);
  if (program === undefined) return undefined;
  const isSplit = /(?:^|\/)env$/.test(program) && /^(?:-S|--split-string)/.test(rest[0] ?? '');
  if (!isSplit) return rest.length === 0 ? [program] : [program, line.slice(program.length).trim()];
  const [option = '', ...words] = rest;
  const attached = option.replace(/^(?:-S|--split-string=?)/, '');
  return [program, ...(attached === '' ? words : [attached, ...words])];
}

function followShebang(bytes: Buffer, facts: ShellFacts): Leads {
  const argv = shebangWords(shebangIn(bytes) ?? '');
  if (argv === undefined) return NOWHERE;
  const found: FoundWord[] = [];
  const { doubts, programs } = commandText({ argv: [...argv, facts.file ?? ''] }, facts, {
    word: (word) => {
      if (word.path !== facts.file) found.push(word);
      return undefined;
    },
  });
  return { ...NOWHERE, found, doubts, programs };
}

function followShell(bytes: Buffer, facts: ShellFacts): Leads {
  const found: FoundWord[] = [];
  // A script that is not UTF-8 is copied unchanged, so none of its words can be replaced.
  const isText = isUtf8(bytes);
  const visitor: Visitor = {
    word: (word) => {
      const stays = word.stays || (!isText && !word.self);
      if (word.role !== 'read' && word.role !== 'named') found.push({ ...word, stays });
      return undefined;
    },
  };
  const walked = walkShell(bytes.toString('utf8'), facts, visitor);
  const unread = walked.error === undefined ? [] : [`it cannot be parsed completely (${walked.error})`];
  return { ...NOWHERE, ...walked, found, doubts: [...unread, ...walked.doubts] };
}

function followPython(text: string, isFolder: (near: string) => boolean): Leads {
  const refs = pythonRefs(text);
  const folders = ['.', ...refs.folders.filter((folder) => isFolder(folder))];
  const searched = folders.flatMap((folder) => refs.searched.flatMap((m) => pythonFiles(`${folder}/${m}`)));
  return {
    ...NOWHERE,
    near: unique([...refs.own.flatMap(pythonFiles), ...searched, ...refs.files]),
    nearZero: unique(refs.searched.flatMap(pythonFiles)),
    modules: unique(refs.searched.filter((module) => !module.includes('/'))).filter(isForeignModule),
    doubts: doubtsIn(text, 'python'),
  };
}

const joined = (a: Leads, b: Leads): Leads => ({
  ...b,
  found: [...a.found, ...b.found],
  doubts: unique([...a.doubts, ...b.doubts]),
  programs: [...a.programs, ...b.programs],
});

const unique = (list: readonly string[]): string[] => [...new Set(list)];
