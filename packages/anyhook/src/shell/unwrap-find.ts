import { type Inner, runs, unjudgeable } from './inner.ts';
import { HOLE, type ShellWord, withHole } from './word.ts';

const MOST_COMMANDS = 16;
const FIND = new Set(['-exec', '-execdir', '-ok', '-okdir']);
const FD = new Set(['-x', '-X', '--exec', '--exec-batch']);

/** The words between `-exec` and `;` or `+`; `{}` in them is a name known only at run time. */
export function unwrapFind(args: readonly ShellWord[], name: string): Inner {
  const isFind = name.endsWith('find') && name !== 'fdfind';
  const commands: ShellWord[][] = [];
  for (const [at, word] of args.entries()) {
    if (!(isFind ? FIND : FD).has(word.value)) continue;
    const rest = args.slice(at + 1);
    const end = rest.findIndex(
      (next, place) => next.value === ';' || (next.value === '+' && rest[place - 1]?.value === '{}'),
    );
    const command = (end === -1 ? rest : rest.slice(0, end)).map((next) =>
      withHole(next, isFind ? '{}' : '{'),
    );
    if (commands.length >= MOST_COMMANDS)
      return unjudgeable(`${name} runs more than ${MOST_COMMANDS} commands`);
    commands.push(isFind ? command : [...command, HOLE]);
  }
  return runs(...commands);
}
