/** Objects to folders that a container or a sandbox may write: `docker run -v ~/.config:/x`. */

import { resolve } from 'node:path';
import type { ShellAct } from '../shell/act.ts';
import { isBelow } from './compare-paths.ts';
import { doubt, type Objection, refusal } from './objection.ts';
import type { GuardedCall, PathResolver } from './path-resolver.ts';

export interface Mount {
  readonly from: string;
  /** The path inside the container. */
  readonly to: string;
  readonly isWritable: boolean;
  /** The argument that contains it. */
  readonly at: number;
}

/** Options for `from:to:options`, which is joined to the option or is the next word. */
const BINDS: Readonly<Record<string, RegExp>> = {
  ...sameOption(
    'docker podman nerdctl finch docker-compose podman-compose',
    /^(?:--volume|-[a-zA-Z]*?v)(?:=|$|(?=.))/,
  ),
  ...sameOption('singularity apptainer', /^(?:--bind|-B)(?:=|$|(?=.))/),
  'systemd-nspawn': /^--bind(?:=|$)/,
  'systemd-run': /^(?:(?:-p|--property)=?)?BindPaths=/,
  proot: /^(?:-b|--bind|-m|--mount)(?:=|$|(?=.))/,
};
function sameOption(programs: string, option: RegExp): Record<string, RegExp> {
  return Object.fromEntries(programs.split(' ').map((program) => [program, option]));
}
/** `--mount type=bind,source=…,target=…`, and `device=…` of a volume. */
const FIELDS = /^(?:--mount(?:=|$)|device=)/;
/** `bwrap --bind from to` */
const PAIRS = /^--(?:dev-)?bind(?:-try)?$/;

export function mountsOf({ program, args }: Pick<ShellAct, 'program' | 'args'>): readonly Mount[] {
  if (program === 'bwrap')
    return args.flatMap((arg, at) =>
      PAIRS.test(arg)
        ? [{ from: args[at + 1] ?? '', to: args[at + 2] ?? '', isWritable: true, at: at + 1 }]
        : [],
    );
  if (!Object.hasOwn(BINDS, program)) return [];
  return args.flatMap((arg, at) => [
    ...optionValues(BINDS[program]!, args, at).map(({ value, word }) => ({ ...bindMount(value), at: word })),
    ...optionValues(FIELDS, args, at).map(({ value, word }) => ({ ...fieldMount(arg, value), at: word })),
  ]);
}

/** The value of an option, and the argument that contains it. */
function optionValues(
  option: RegExp,
  args: readonly string[],
  at: number,
): { value: string; word: number }[] {
  const lead = option.exec(args[at]!)?.[0];
  if (lead === undefined) return [];
  const joined = args[at]!.slice(lead.length);
  const next = args[at + 1];
  if (joined !== '') return [{ value: joined, word: at }];
  return next === undefined ? [] : [{ value: next, word: at + 1 }];
}

function bindMount(value: string): Omit<Mount, 'at'> {
  const [from = '', to = from, options = ''] = value.split(':');
  return { from, to, isWritable: isWritable(options.split(',')) };
}

function fieldMount(option: string, value: string): Omit<Mount, 'at'> {
  const fields = value.split(',');
  const field = (names: RegExp) =>
    fields.map((text) => names.exec(text)?.[1]).find((found) => found !== undefined);
  return {
    from: option.startsWith('device=') ? value : (field(/^(?:source|src)=(.+)$/) ?? ''),
    to: field(/^(?:target|destination|dst)=(.+)$/) ?? '',
    isWritable: isWritable(fields),
  };
}

const isWritable = (options: readonly string[]): boolean =>
  !options.some((option) => /^(?:ro|readonly)(?:=(?:true|1))?$/.test(option));

/** A name without a slash is a volume that the program manages itself. */
export const namesFolder = ({ from }: Mount): boolean => /[/~$`]|^\.+$/.test(from);

/**
 * Most containers exist to work in the project, and the commands seen to run there are judged by their own paths. A folder
 * around or beside the project must not be writable in a container.
 */
export function mountObjection(
  mount: Mount,
  { words, program }: ShellAct,
  resolver: PathResolver,
  { cwd, home }: GuardedCall,
): Objection | undefined {
  if (!mount.isWritable || !namesFolder(mount)) return undefined;
  const word = { ...words[mount.at + 1]!, value: mount.from, text: mount.from };
  const what = `${program} is given ${mount.from} to write`;
  const touch = resolver.touch(word);
  if (touch === 'inside') return refusal(what);
  if (touch === 'unclear') return doubt(`${what}, which is known only at run time`);
  if (touch === undefined) return undefined;
  const isProject =
    resolver.spellings(word).every((path) => isBelow(cwd, resolve(cwd, path))) && !isBelow(cwd, home);
  return isProject ? undefined : doubt(`${what}, and something guarded lies in it`);
}
