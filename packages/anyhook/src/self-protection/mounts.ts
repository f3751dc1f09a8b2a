/** Folders that a container or a sandbox is given: `docker run -v ~/.config:/x`. What it does there is out of sight here. */
import { resolve } from 'node:path';
import type { ShellWord } from '../shell/word.ts';
import type { CommandWords } from './commands.ts';
import { doubt, type Objection, refusal } from './objection.ts';
import type { PathSight, Terms } from './sight.ts';

export interface Mount {
  readonly from: string;
  /** Where it lies inside. */
  readonly to: string;
  readonly isWritable: boolean;
  /** Which of the program's words names it. */
  readonly at: number;
}

/** `from:to:options` behind one of these, joined to it or in the next word. */
const BINDS: Readonly<Record<string, RegExp>> = {
  ...same(
    'docker podman nerdctl finch docker-compose podman-compose',
    /^(?:--volume|-[a-zA-Z]*?v)(?:=|$|(?=.))/,
  ),
  ...same('singularity apptainer', /^(?:--bind|-B)(?:=|$|(?=.))/),
  'systemd-nspawn': /^--bind(?:=|$)/,
  'systemd-run': /^(?:(?:-p|--property)=?)?BindPaths=/,
  proot: /^(?:-b|--bind|-m|--mount)(?:=|$|(?=.))/,
};
function same(names: string, option: RegExp): Record<string, RegExp> {
  return Object.fromEntries(names.split(' ').map((name) => [name, option]));
}
/** `type=bind,source=…,target=…`; `device=…` is how a volume is told the same. */
const FIELDS = /^(?:--mount(?:=|$)|device=)/;
/** `bwrap --bind from to` */
const PAIRS = /^--(?:dev-)?bind(?:-try)?$/;

export function mountsOf({ name, args }: CommandWords): readonly Mount[] {
  if (name === 'bwrap')
    return args.flatMap((arg, at) =>
      PAIRS.test(arg)
        ? [{ from: args[at + 1] ?? '', to: args[at + 2] ?? '', isWritable: true, at: at + 1 }]
        : [],
    );
  if (!Object.hasOwn(BINDS, name)) return [];
  return args.flatMap((arg, at) => [
    ...valuesOf(BINDS[name]!, args, at).map(({ value, word }) => ({ ...bindOf(value), at: word })),
    ...valuesOf(FIELDS, args, at).map(({ value, word }) => ({ ...mountOf(arg, value), at: word })),
  ]);
}

/** What stands behind an option, and in which word. */
function valuesOf(option: RegExp, args: readonly string[], at: number): { value: string; word: number }[] {
  const lead = option.exec(args[at]!)?.[0];
  if (lead === undefined) return [];
  const joined = args[at]!.slice(lead.length);
  const next = args[at + 1];
  if (joined !== '') return [{ value: joined, word: at }];
  return next === undefined ? [] : [{ value: next, word: at + 1 }];
}

function bindOf(value: string): Omit<Mount, 'at'> {
  const [from = '', to = from, options = ''] = value.split(':');
  return { from, to, isWritable: isWritable(options.split(',')) };
}

function mountOf(option: string, value: string): Omit<Mount, 'at'> {
  const fields = value.split(',');
  const field = (names: RegExp) => fields.map((one) => names.exec(one)?.[1]).find((one) => one !== undefined);
  return {
    from: option.startsWith('device=') ? value : (field(/^(?:source|src)=(.+)$/) ?? ''),
    to: field(/^(?:target|destination|dst)=(.+)$/) ?? '',
    isWritable: isWritable(fields),
  };
}

const isWritable = (options: readonly string[]): boolean =>
  !options.some((option) => /^(?:ro|readonly)(?:=(?:true|1))?$/.test(option));

/** A word without a slash names a volume that the program keeps by itself. */
export const isFolder = ({ from }: Mount): boolean => /[/~$`]|^\.+$/.test(from);

/**
 * A container may work in the project: that is what most are for, and what it is seen to run there is judged by the paths
 * inside it. What lies around or beside the project it may not be given to write.
 */
export function mountObjection(
  mount: Mount,
  words: readonly ShellWord[],
  name: string,
  sight: PathSight,
  { cwd, home }: Terms,
): Objection | undefined {
  if (!mount.isWritable || !isFolder(mount)) return undefined;
  const word = { ...words[mount.at + 1]!, value: mount.from, text: mount.from };
  const what = `${name} is given ${mount.from} to write`;
  const meaning = sight.meaning(word);
  if (meaning === 'inside') return refusal(what);
  if (meaning === 'unclear') return doubt(`${what}, which is known only at run time`);
  if (meaning === undefined) return undefined;
  const isWithin = (place: string, folder: string) => `${place}/`.startsWith(`${folder.replace(/\/$/, '')}/`);
  const isProject =
    sight.spelled(word).every((said) => isWithin(resolve(cwd, said), cwd)) && !isWithin(home, cwd);
  return isProject ? undefined : doubt(`${what}, and something guarded lies in it`);
}
