/** The hooks that ran, in order, round by round. */

import type { ShownEffect, ShownRun } from '../src/view/wire.ts';
import { took } from './words.ts';

interface RunListProps {
  readonly runs: readonly ShownRun[];
  readonly tookMs: number;
}

export function RunList({ runs, tookMs }: RunListProps) {
  const again = runs.filter(({ round }) => round === 2);
  const longest = Math.max(tookMs, 0.001, ...runs.map(({ ms }) => ms));
  const first = runs.filter(({ round }) => round === 1);
  if (runs.length === 0) return <p class="quiet">No hook was asked.</p>;
  return (
    <>
      <section>
        <h3>Asked</h3>
        <ol class="runs">
          {first.map((run, at) => (
            <Run key={`${run.id}${at}`} run={run} longest={longest} />
          ))}
        </ol>
      </section>
      {again.length > 0 && (
        <section>
          <h3>Asked again, about the final call</h3>
          <ol class="runs">
            {again.map((run, at) => (
              <Run key={`${run.id}${at}`} run={run} longest={longest} />
            ))}
          </ol>
        </section>
      )}
    </>
  );
}

interface RunProps {
  readonly run: ShownRun;
}

const Run = ({ run, longest }: RunProps & { readonly longest: number }) => (
  <li class={run.skipped === undefined ? '' : 'skipped'}>
    <div class="runhead">
      <a class="name" href={`#/hooks/${encodeURIComponent(run.id)}`}>
        {run.name}
      </a>
      {run.dialect !== undefined && <span class="tag">{run.dialect}</span>}
      {run.isShadow && <span class="tag shadow">shadow</span>}
      <span class="ms">
        {run.skipped === undefined && (
          <>
            <meter value={run.ms} min={0} max={longest} aria-label="Part of the time" /> {took(run.ms)}
          </>
        )}
      </span>
    </div>
    <div class="says">
      <Result run={run} />
      {run.printed !== undefined && (
        <details>
          <summary>What it printed</summary>
          <pre class="block" tabIndex={0}>
            {run.printed}
          </pre>
        </details>
      )}
      <p class="quiet small">
        {[
          run.place,
          run.on,
          run.matcher === undefined ? undefined : `matches ${run.matcher}`,
          run.roles.join(', '),
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
    </div>
  </li>
);

/** What the hook asked for, or why it asked for nothing. */
function Result({ run }: RunProps) {
  const { skipped, background, failed, failedOpen, effects, notes, isVoided } = run;
  const isSilent =
    skipped === undefined && failed === undefined && effects.length === 0 && background === undefined;
  return (
    <>
      {failed !== undefined && (
        <p class="deny">
          broke: {failed}
          {failedOpen && <b> It was let pass.</b>}
        </p>
      )}
      {background !== undefined && <p>{background}</p>}
      {effects.map((effect, at) => (
        <EffectLine key={at} effect={effect} />
      ))}
      {isVoided && <p class="ask">Its approval was voided: another hook changed the call afterwards.</p>}
      {isSilent && <p class="quiet">nothing to say</p>}
      {skipped !== undefined && <p class="quiet">did not run: {skipped}</p>}
      {notes.map((note) => (
        <p class="quiet" key={note}>
          {note}
        </p>
      ))}
    </>
  );
}

const WORDS: Readonly<Partial<Record<ShownEffect['kind'], string>>> = {
  deny: 'refuses',
  ask: 'asks',
  defer: 'defers',
  allow: 'approves',
  set: 'sets',
  context: 'tells the model',
  notice: 'tells the person',
  give: 'gives a',
  halt: 'stops the agent',
  cancel: 'cancels it',
  resume: 'goes on',
  retry: 'tries again',
};
const EffectLine = ({ effect: { kind, text, ignored } }: { readonly effect: ShownEffect }) => (
  <p class={ignored === undefined ? kind : 'ignored'}>
    <b>{WORDS[kind] ?? kind}</b> {text !== '' && <span class="text">{text}</span>}
    {ignored !== undefined && <span class="quiet"> (did not count: {ignored})</span>}
  </p>
);
