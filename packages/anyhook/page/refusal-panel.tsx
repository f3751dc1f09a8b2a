/** The cause of a refusal: where the hook is, which rule matched, and what would have to change. */

import { useEffect, useState } from 'preact/hooks';
import type { Advice, RefusalSheet } from '../src/view/wire.ts';
import type { Source } from './source.ts';

interface RefusalProps {
  readonly source: Source;
  readonly session: string;
  readonly at: number;
  readonly by: string;
}

export function RefusalPanel({ source, session, at, by }: RefusalProps) {
  const [sheet, setSheet] = useState<RefusalSheet>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    source.refusal(session, at, by).then(setSheet, (error: Error) => setProblem(error.message));
  }, [source, session, at, by]);
  if (problem !== undefined) return <div class="panel quiet">{problem}</div>;
  if (sheet === undefined) return <div class="panel quiet">Looking…</div>;
  return (
    <div class="panel refusal">
      {sheet.place !== undefined && (
        <section>
          <h3>{sheet.place}</h3>
          {sheet.source.length === 0 ? (
            <p class="quiet">
              {sheet.place.startsWith('(')
                ? 'It is part of anyhook itself.'
                : 'The file cannot be shown any more.'}
            </p>
          ) : (
            <pre class="block source" tabIndex={0}>
              {sheet.source.map(({ number, text, isIt }) => (
                <span key={number} class={isIt ? 'it' : ''}>
                  <span class="line">{number}</span>
                  {text}
                  {'\n'}
                </span>
              ))}
            </pre>
          )}
        </section>
      )}
      <section>
        <h3>The rule that matched</h3>
        <dl class="rule">
          {sheet.rule.map(({ name, text }) => (
            <>
              <dt>{name}</dt>
              <dd>
                <code>{text}</code>
              </dd>
            </>
          ))}
        </dl>
      </section>
      <section>
        <h3>What would have to change</h3>
        <AdviceList advice={sheet.changes} />
      </section>
    </div>
  );
}

export const AdviceList = ({ advice }: { readonly advice: readonly Advice[] }) => (
  <ul class="advice">
    {advice.map(({ text, command }) => (
      <li key={text}>
        <span>{text}</span>
        {command !== undefined && <Command text={command} />}
      </li>
    ))}
  </ul>
);

function Command({ text }: { readonly text: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => {}, // not allowed: it can be selected
    );
  return (
    <span class="command">
      <code>{text}</code>
      <button class="link" onClick={() => void copy()}>
        {isCopied ? 'copied' : 'copy'}
      </button>
    </span>
  );
}
