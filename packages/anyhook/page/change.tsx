/** A call or result, and how hooks changed it. */

import { useMemo } from 'preact/hooks';
import { lineDiff } from './line-diff.ts';

const SIGNS = { same: ' ', gone: '−', new: '+' } as const;
const SPOKEN = { same: '', gone: 'before: ', new: 'after: ' } as const;

export function Change({ before, after }: { readonly before: string; readonly after: string }) {
  const lines = useMemo(() => lineDiff(before, after), [before, after]);
  return (
    <pre class="diff" tabIndex={0}>
      {lines.map(({ kind, text }, at) => (
        <span class={kind} key={at}>
          <span aria-hidden="true">{SIGNS[kind]} </span>
          <span class="hidden">{SPOKEN[kind]}</span>
          {text}
          {'\n'}
        </span>
      ))}
    </pre>
  );
}
