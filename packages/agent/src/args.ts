/** Parses the command line of `anyhook-agent`. */

import { Command, InvalidArgumentError, Option } from 'commander';
import { OUTPUTS, type Output } from './screen/outputs.ts';
import { THEME_NAMES, type ThemeName } from './screen/theme.ts';

export interface Args {
  readonly prompt: string;
  /** `-p`: print the answer and exit. */
  readonly isHeadless: boolean;
  readonly output: Output;
  readonly model?: string;
  readonly hookModel?: string;
  readonly cwd: string;
  readonly permission?: 'ask' | 'allow' | 'deny';
  readonly maxTurns?: number;
  /** Time limit in milliseconds for loading a module, and for starting a module of another agent. */
  readonly loadMs?: number;
  /** `true` lets the user choose a session; a string names one. */
  readonly resume?: string | true;
  readonly isContinued: boolean;
  readonly hooks: readonly string[];
  readonly trust: readonly string[];
  readonly theme?: ThemeName;
}
export interface Login {
  readonly provider?: string;
  readonly cwd: string;
}
export type CommandLine =
  | { readonly kind: 'run'; readonly args: Args }
  | { readonly kind: 'login'; readonly login: Login };

/** Exits the process on `--help`, `--version` and wrong usage, as commander does: codes 0 and 2. */
export function readArgs(argv: readonly string[], version: string): CommandLine {
  let asked: CommandLine | undefined;
  const program = new Command('anyhook-agent')
    .description('A small coding agent whose only extension mechanism is anyhook.')
    .version(version)
    .exitOverride((end) => process.exit(end.exitCode === 0 ? 0 : 2))
    .argument('[prompt...]', 'the prompt; without it the agent opens the terminal')
    .option('-p, --print', 'print the answer and exit')
    .addOption(new Option('--output <form>', 'with -p').choices(OUTPUTS).default('text'))
    .option('--model <spec>', 'anthropic:…, openai:…, openai-compatible:<url>#<model>, scripted:<file>')
    .option('--hook-model <spec>', 'the model for prompt hooks; default: the session’s')
    .option('--cwd <folder>', 'Project folder', process.cwd())
    .addOption(
      new Option('--permission <mode>', 'decision for calls that match no rule').choices([
        'ask',
        'allow',
        'deny',
      ]),
    )
    .option('--max-turns <n>', 'maximum number of requests to the model', positive)
    .option(
      '--load-ms <ms>',
      'time limit to load a module, and to start one of another agent; default 10000',
      positive,
    )
    .option('--resume [session]', 'resume a session: its file, the beginning of its id, or choose')
    .option('--continue', 'resume the latest session of this folder')
    .option('--hook <path>', 'an additional hook module (repeatable)', collect, [])
    .option('--extension <path>', 'the same', collect, [])
    .option('--trust <hash>', 'trust this content for this run (repeatable)', collect, [])
    .addOption(new Option('--theme <name>', 'colours').choices(THEME_NAMES))
    .action((words: string[], options: Options) => {
      asked = { kind: 'run', args: argsOf(words, options) };
    });
  program
    .command('login')
    .description('log in to a provider with a plugin')
    .argument('[provider]')
    .option('--cwd <folder>', 'Project folder', process.cwd())
    .action((provider: string | undefined, { cwd }: { cwd: string }) => {
      asked = { kind: 'login', login: { cwd, ...(provider !== undefined && { provider }) } };
    });
  program.parse(argv, { from: 'user' });
  return asked!; // One of the two actions has run, or commander has exited.
}

interface Options {
  readonly print?: true;
  readonly output: Output;
  readonly model?: string;
  readonly hookModel?: string;
  readonly cwd: string;
  readonly permission?: 'ask' | 'allow' | 'deny';
  readonly maxTurns?: number;
  readonly loadMs?: number;
  readonly resume?: string | true;
  readonly continue?: true;
  readonly hook: readonly string[];
  readonly extension: readonly string[];
  readonly trust: readonly string[];
  readonly theme?: ThemeName;
}
function argsOf(words: readonly string[], options: Options): Args {
  const { print, continue: latest, hook, extension, output, cwd, trust, ...rest } = options;
  return {
    ...rest,
    prompt: words.join(' '),
    isHeadless: print === true,
    output,
    cwd,
    trust,
    isContinued: latest === true,
    hooks: [...hook, ...extension],
  };
}

const collect = (value: string, before: readonly string[]): string[] => [...before, value];
function positive(value: string): number {
  if (!/^[1-9]\d{0,5}$/.test(value)) throw new InvalidArgumentError('It must be a whole number from 1 up.');
  return Number(value);
}
