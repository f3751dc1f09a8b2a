/** Shells that share little with bash: a command given as text is read as far as both read it alike. */
import { type Around, fromInput, type Inner, NOTHING, unjudgeable } from './inner.ts';
import type { ShellWord } from './word.ts';

const COMMAND = /^(?:-c|--command|--commands|-command|\/c|\/k)$/i;
const ENCODED = /^-(?:e|ec|en[a-z]*)$/i;

export function unwrapOther(args: readonly ShellWord[], name: string, { input }: Around): Inner {
  const read = (text: string): Inner => ({ ...NOTHING, texts: [{ text, shell: 'other' }] });
  if (/^(?:iex|Invoke-Expression)$/.test(name)) return read(args.map(({ value }) => value).join(' '));
  if (args.some(({ value }) => /^(?:--version|-v|--help|-h|-\?|\/\?)$/i.test(value))) return NOTHING;
  const encoded = args.findIndex(({ value }) => ENCODED.test(value));
  if (encoded !== -1 && /^p(?:wsh|owershell)$/.test(name)) {
    const text = Buffer.from(args[encoded + 1]?.value ?? '', 'base64').toString('utf16le');
    return text === '' ? unjudgeable(`${name} is given encoded text`) : read(text);
  }
  const at = args.findIndex(({ value }) => COMMAND.test(value));
  if (at !== -1)
    return read(
      args
        .slice(at + 1)
        .map(({ value }) => value)
        .join(' '),
    );
  return args.some(({ value }) => !/^[-/]/.test(value)) ? NOTHING : fromInput(input, name, read);
}
