import { type ScriptAround, fromFile, type Inner, NOTHING, runsText, combine, unjudgeable } from './inner.ts';
import { readOptions } from './options.ts';
import { clip, fixedWord, type ShellWord } from './word.ts';

/** GNU sed runs a shell with the command `e` and with the flag `e` of `s`. */
export function unwrapSed(args: readonly ShellWord[], name: string, around: ScriptAround): Inner {
  const { found, rest } = readOptions(args, {
    short: 'nrsuzEi::e:f:l:',
    long: 'quiet silent debug expression: file: follow-symlinks in-place:: line-length: posix regexp-extended separate sandbox unbuffered null-data zero-terminated',
  });
  const given = found
    .filter((option) => option.name === '-e' || option.name === '--expression')
    .flatMap((option) => option.value ?? []);
  const files = found
    .filter((option) => option.name === '-f' || option.name === '--file')
    .flatMap((option) => option.value ?? []);
  const programs = given.length > 0 || files.length > 0 ? given : rest.slice(0, 1);
  const { input } = around;
  const read = (program: string): Inner => {
    const running = runningIn(program);
    if (running === undefined) return NOTHING;
    // `s///e` and a bare `e` run the pattern space, which is the input or a changed text.
    const lines = input?.kind === 'text' ? [runsText(fixedWord(input.text))] : [];
    return running === ''
      ? combine(...lines, unjudgeable(`${name} runs a command: ${clip(program)}`))
      : runsText(fixedWord(running));
  };
  return combine(
    ...files.map((file) => fromFile(file, around, name, read)),
    ...programs.map(({ value }) => read(value)),
  );
}

/** The inside of `[…]`, where the delimiter is a letter. */
const SET = /^\[\^?\]?[^\]]*(?=\])/;
const LONGEST_SET = 256;

/**
 * The text that the program passes to a shell; empty if only run time knows it. Reads the program command by command, because
 * an `e` in a pattern is not a command.
 */
function runningIn(program: string): string | undefined {
  let at = 0;
  const skipTo = (end: RegExp): void => {
    while (at < program.length && !end.test(program.charAt(at))) at++;
  };
  const skipPart = (delimiter: string, part: 'pattern' | 'text'): void => {
    for (; at < program.length && program.charAt(at) !== delimiter; at++) {
      if (program.charAt(at) === '\\') at++;
      else if (part === 'pattern') at += SET.exec(program.slice(at, at + LONGEST_SET))?.[0].length ?? 0;
    }
    at++;
  };
  while (at < program.length) {
    const char = program.charAt(at++);
    if (char === '/') skipPart('/', 'pattern');
    else if (char === '\\') skipPart(program.charAt(at++), 'pattern');
    else if (char === 'e')
      return (/^(?:[^\n\\]|\\[\s\S])*/.exec(program.slice(at))?.[0] ?? '').replaceAll('\\\n', '').trim();
    else if (char === '#') skipTo(/\n/);
    else if (/[aicrRwW]/.test(char)) skipTo(/\n/);
    else if (/[:btT]/.test(char)) skipTo(/[;\n}]/);
    else if (char === 's' || char === 'y') {
      const delimiter = program.charAt(at++);
      skipPart(delimiter, char === 's' ? 'pattern' : 'text');
      skipPart(delimiter, 'text');
      const flags = /^[a-zA-Z0-9]*/.exec(program.slice(at))?.[0] ?? '';
      const write = flags.indexOf('w');
      if (char === 's' && (write === -1 ? flags : flags.slice(0, write)).includes('e')) return '';
      at += flags.length;
      if (write !== -1) skipTo(/\n/);
    }
  }
  return undefined;
}
