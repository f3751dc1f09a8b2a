/** `bash -c 'text'` and its kin: text is parsed again, a program from the input cannot be judged. */
import { type Inner, NOTHING, runsText, unjudgeable } from './inner.ts';
import type { ShellWord } from './word.ts';

/** They read what bash reads, or less. */
export const SHELLS: readonly string[] = ['sh', 'bash', 'rbash', 'dash', 'ash', 'posh', 'yash'];
export const OTHER_SHELLS: readonly string[] = ['zsh', 'ksh', 'mksh', 'oksh', 'lksh', 'rksh', 'rzsh'];

export function unwrapShell(args: readonly ShellWord[], name: string, shell: 'bash' | 'other'): Inner {
  const { letters, long, rest, loose } = readShellOptions(args);
  if (loose !== undefined)
    return unjudgeable(`${name}: its options are known only at run time: ${loose.text}`);
  if (long.includes('--help') || long.includes('--version')) return NOTHING;
  const [first] = rest;
  if (letters.includes('c')) {
    if (first === undefined) return NOTHING;
    const inner = runsText(first);
    return { ...inner, texts: inner.texts.map((text) => ({ ...text, shell })) };
  }
  if (first === undefined || letters.includes('s') || isInput(first))
    return unjudgeable(`${name} reads its program from its input`);
  return NOTHING;
}

/** `-` and the names of open files; a substitution is one too. */
export const isInput = (word: ShellWord): boolean =>
  word.value === '-' ||
  /^\/(?:dev\/(?:stdin|fd)|proc\/)/.test(word.value) ||
  /[<>]\(/.test(word.text) ||
  !word.single;

function readShellOptions(args: readonly ShellWord[]) {
  const long: string[] = [];
  let letters = '';
  let at = 0;
  for (; at < args.length; at++) {
    const word = args[at];
    if (word === undefined || !/^[-+]./.test(word.lead)) break;
    if (!word.fixed) return { letters, long, rest: [], loose: word };
    if (word.value === '--') {
      at++;
      break;
    }
    if (word.value.startsWith('--')) {
      long.push(word.value);
      if (word.value === '--rcfile' || word.value === '--init-file') at++;
      continue;
    }
    if (word.value.startsWith('-')) letters += word.value.slice(1);
    // Each `o` or `O` of a cluster takes one of the words that follow.
    at += word.value.match(/[oO]/g)?.length ?? 0;
  }
  return { letters, long, rest: args.slice(at), loose: undefined };
}
