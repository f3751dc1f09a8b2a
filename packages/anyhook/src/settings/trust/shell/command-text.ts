import type { Way } from '../../../canon/hook.ts';
import { rolesOf } from './roles.ts';
import { quote } from './quote.ts';
import { walkShell, type ShellFacts, type Visit } from './walk.ts';

type Run = Extract<Way, { kind: 'command' }>['run'];

export interface Rewritten {
  readonly run: Run;
  readonly error?: string;
  readonly loose: readonly string[];
}

const POSIX = /(^|\/)(ba|da|z|k|mk|a|)sh$/;
const NOT_BASH = 'the shell is not one whose commands we parse';

/** Shows every word of a command that may name a file, and gives the command back with the words `visit` replaced. */
export function commandText(run: Run, facts: ShellFacts, visit: Visit): Rewritten {
  if ('argv' in run) return inArgv(run.argv, facts, visit);
  const shell = run.shell === undefined ? undefined : (ownProgram(run.shell, facts, visit) ?? run.shell);
  const withShell = (line: string): Run => ({ line, ...(shell === undefined ? {} : { shell }) });
  if (run.shell !== undefined && !POSIX.test(run.shell)) {
    return { run: withShell(byBlanks(run.line, facts, visit)), error: NOT_BASH, loose: [] };
  }
  const walked = walkShell(run.line, facts, visit);
  if (walked.error === undefined) return { run: withShell(walked.text), loose: walked.loose };
  return { run: withShell(byBlanks(run.line, facts, visit)), error: walked.error, loose: walked.loose };
}

function ownProgram(program: string, facts: ShellFacts, visit: Visit): string | undefined {
  return program.includes('/')
    ? visit({ role: 'run', path: absolute(program, facts), self: false, stays: false, word: program })
    : undefined;
}

function inArgv(argv: readonly [string, ...string[]], facts: ShellFacts, visit: Visit): Rewritten {
  const roles = rolesOf(argv);
  const loose: string[] = [];
  const replaced = argv.map((word, i) => {
    const role = roles[i] ?? 'read';
    if (role === 'script') {
      const walked = walkShell(word, facts, visit);
      if (walked.error !== undefined) loose.push(`${word} (${walked.error})`);
      loose.push(...walked.loose);
      return walked.text;
    }
    if (role === 'program' || role === 'option' || role === 'written') return word;
    const option = /^(--?[\w-]+=)(.+)$/s.exec(word);
    const spelled = option?.[2] ?? word;
    if (spelled === '' || spelled.includes('\0')) return word;
    const by = visit({ role, path: absolute(spelled, facts), self: false, stays: false, word });
    return by === undefined ? word : `${option?.[1] ?? ''}${by}`;
  });
  const [program = argv[0], ...rest] = replaced;
  return { run: { argv: [program, ...rest] }, loose };
}

/** For what cannot be parsed: each run of letters between blanks may be a file, and only plain ones are replaced. */
function byBlanks(line: string, facts: ShellFacts, visit: Visit): string {
  return line.replace(/[^\s;&|()<>]+/g, (token) => {
    const bare = token.replace(/^["'`]+|["'`]+$/g, '');
    if (bare === '' || bare.includes('\0')) return token;
    const isPlain = bare === token && /^[\w%+,./:@-]+$/.test(token);
    const by = visit({
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
