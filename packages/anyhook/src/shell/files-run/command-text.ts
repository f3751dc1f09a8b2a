import type { Way } from '../../events/hook.ts';
import { quote } from './edits.ts';
import { WordReporter } from './report-words.ts';
import { rolesOf } from './roles.ts';
import { fixed } from './scope.ts';
import { settingRole } from './settings.ts';
import type { Visitor, ShellFacts, ShellWalk } from './visitor.ts';
import { walkShell } from './walk.ts';

type Run = Extract<Way, { kind: 'command' }>['run'];

export interface Rewritten extends Omit<ShellWalk, 'text'> {
  readonly run: Run;
}

const POSIX = /(^|\/)(ba|da|z|k|mk|a|)sh$/;
const NOT_BASH = 'the shell is not one whose commands we parse';

/** Reports every word of a command that may name a file. Returns the command with the replacements that the visitor gave. */
export function commandText(run: Run, facts: ShellFacts, visitor: Visitor): Rewritten {
  if ('argv' in run) return inArgv(run.argv, facts, visitor);
  const shell = run.shell === undefined ? undefined : (ownProgram(run.shell, facts, visitor) ?? run.shell);
  const withShell = (line: string): Run => ({ line, ...(shell === undefined ? {} : { shell }) });
  if (run.shell !== undefined && !POSIX.test(run.shell)) {
    const line = byBlanks(run.line, facts, visitor);
    return { run: withShell(line), error: NOT_BASH, doubts: [], programs: [], functions: [] };
  }
  const { text, ...walked } = walkShell(run.line, facts, visitor);
  return {
    ...walked,
    run: withShell(walked.error === undefined ? text : byBlanks(run.line, facts, visitor)),
  };
}

function ownProgram(program: string, facts: ShellFacts, visitor: Visitor): string | undefined {
  if (!program.includes('/')) return undefined;
  const found = { role: 'run', path: absolute(program, facts), self: false, stays: false } as const;
  return visitor.word({ ...found, word: program, language: 'exec' });
}

function inArgv(argv: readonly [string, ...string[]], facts: ShellFacts, visitor: Visitor): Rewritten {
  const found = rolesOf(argv);
  const replaced: string[] = [...argv];
  const reporter = new WordReporter(visitor, (text, cwd) => walkShell(text, { ...facts, cwd }, visitor));
  reporter.doubts.push(...found.doubts);
  reporter.programs.push(...found.programs);
  const folder = found.moved === undefined ? '' : (argv[found.moved.word] ?? '').slice(found.moved.skip);
  const spots = argv.map((text, i) => ({
    text,
    value: fixed(text),
    replace: (by: string) => void (replaced[i] = by),
  }));
  spots.forEach((_, i) => {
    const role = found.roles[i] ?? { as: 'read' };
    const isMoved = found.moved !== undefined && i >= found.moved.from;
    const here = fixed(isMoved ? absolute(folder, facts) : facts.cwd);
    reporter.reportWord(spots, i, role, here);
  });
  if (found.readsInput !== undefined) reporter.doubts.push(`${argv[0]} runs what it is given on its input`);
  const [program = argv[0], ...rest] = replaced;
  return {
    run: { argv: [program, ...rest] },
    doubts: reporter.doubts,
    programs: reporter.programs,
    functions: [...reporter.functions],
  };
}

/** Reports the files that the variables of a command name. They cannot be replaced, so these files run in place. */
export function assignmentsOf(
  set: Readonly<Record<string, string>>,
  facts: ShellFacts,
  visitor: Visitor,
): string[] {
  const reporter = new WordReporter(visitor, () => undefined);
  for (const [name, text] of Object.entries(set).filter(([name]) => settingRole(name) !== undefined))
    reporter.assigned(name, { text: `${name}=${text}`, value: fixed(text) }, fixed(facts.cwd));
  return reporter.doubts;
}

/** For a line that cannot be parsed: any text between blanks may name a file. Only plain texts are replaced. */
function byBlanks(line: string, facts: ShellFacts, visitor: Visitor): string {
  return line.replace(/[^\s;&|()<>]+/g, (token) => {
    const bare = token.replace(/^["'`]+|["'`]+$/g, '');
    if (bare === '' || bare.includes('\0')) return token;
    const isPlain = bare === token && /^[\w%+,./:@-]+$/.test(token);
    const by = visitor.word({
      role: isPlain && token.includes('/') ? 'run' : 'read',
      path: absolute(bare, facts),
      self: false,
      stays: false,
      word: token,
    });
    return by === undefined ? token : quote(by);
  });
}

const absolute = (path: string, facts: ShellFacts): string =>
  path.startsWith('/') ? path : `${facts.cwd}/${path}`;
