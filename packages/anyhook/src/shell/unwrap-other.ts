/** Shells with another syntax: fish, nushell, PowerShell, cmd. */

import { codeIn } from './code-in.ts';
import { type ScriptAround, fromInput, type Inner, NOTHING, combine, unjudgeable } from './inner.ts';
import type { ShellWord } from './word.ts';

const COMMAND = /^(?:-c|--command|--commands|-command|\/c|\/k)$/i;
const ENCODED = /^-(?:e|ec|en[a-z]*)$/i;

export function unwrapOther(args: readonly ShellWord[], name: string, { input }: ScriptAround): Inner {
  const asShell = (text: string): Inner => ({ ...NOTHING, texts: [{ text, shell: 'foreign' }] });
  // xonsh is Python with commands in it.
  const read = (text: string): Inner =>
    name === 'xonsh' ? combine(asShell(text), codeIn(text, 'python', name)) : asShell(text);
  if (/^(?:iex|Invoke-Expression)$/.test(name)) return read(args.map(({ value }) => value).join(' '));
  if (args.some(({ value }) => /^(?:--version|-v|--help|-h|-\?|\/\?)$/i.test(value))) return NOTHING;
  const encoded = args.findIndex(({ value }) => ENCODED.test(value));
  if (encoded !== -1 && /^p(?:wsh|owershell)$/.test(name)) {
    const text = Buffer.from(args[encoded + 1]?.value ?? '', 'base64').toString('utf16le');
    return text === '' ? unjudgeable(`${name} is given encoded text`) : read(text);
  }
  const at = args.findIndex(({ value }) => COMMAND.test(value));
  if (at !== -1) {
    const text = args.slice(at + 1).map(({ value }) => value);
    // The options of cmd begin with a slash and would look like paths.
    return read(text.join(' ').replaceAll(/(?<=\s)\/(?=[a-z](?:[\s/:]|$))/gi, name === 'cmd' ? '-' : '/'));
  }
  const operands = args.filter(({ value }) => !/^[-/]/.test(value));
  if (operands.length === 0) return fromInput(input, name, read);
  // Windows PowerShell runs its arguments as a command unless they name a script.
  const isCommand = name === 'powershell' && operands[0] === args[0] && !/\.ps1$|[\\/]/i.test(args[0]!.value);
  return isCommand ? read(args.map(({ value }) => value).join(' ')) : NOTHING;
}
