import { safe } from './safe.ts';
import type { Screen } from './screen.ts';
import { wrap } from './wrap.ts';

/** A long hash, as people type it: enough digits to be unique in practice. */
export const shortHash = (hash: string): string => hash.slice(0, 'sha256:'.length + 12);

/**
 * Text, code and advice in lines. A command at the end of the advice has a line of its own, unwrapped, so that it can be
 * pasted.
 */
export function adviceLines(
  text: string,
  { code, remedy = '' }: { readonly code: string; readonly remedy?: string | undefined },
  { paint, width }: Screen,
): string[] {
  const [, advice, command] = /^(.*:) ((?:anyhook|chmod|sed) .*)$/s.exec(remedy) ?? [];
  const rest = command === undefined ? remedy : '';
  const lines = [
    `${[text, rest].filter(Boolean).join(' ')} [${code}]`,
    ...(advice === undefined ? [] : [advice]),
  ];
  return [
    ...lines.flatMap((line) => wrap(safe(line), width - 2).map((part) => `  ${part}`)),
    ...(command === undefined
      ? []
      : [`    ${paint('bold', safe(command.replaceAll(/sha256:[0-9a-f]{64}/g, shortHash)))}`]),
  ];
}
