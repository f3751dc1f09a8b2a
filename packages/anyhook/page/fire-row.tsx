/** One event of a session: a line, and when open, everything that hooks did with it. */

import { useEffect, useRef, useState } from 'preact/hooks';
import type { ShownDamage, ShownEnd, ShownFire, ShownRun } from '../src/view/wire.ts';
import { Change } from './change.tsx';
import { RefusalPanel } from './refusal-panel.tsx';
import { RunList } from './run-list.tsx';
import type { Source } from './source.ts';
import { bytes, clock, counted, took } from './words.ts';

const ROLE_WORDS = { prompt: 'prompt', call: 'call', result: 'result', stop: 'stop' } as const;
const VERDICT_WORDS = {
  deny: 'refused',
  ask: 'asked',
  defer: 'deferred',
  allow: 'approved',
  none: '',
} as const;

const FLOW_WORDS: Readonly<Record<string, string>> = {
  halt: 'stops the agent',
  cancel: 'cancels it',
  resume: 'goes on',
  retry: 'tries again',
};

interface FireProps {
  readonly fire: ShownFire;
  readonly session: string;
  readonly source: Source;
  /** The address names it. */
  readonly isChosen: boolean;
}

export function FireRow({ fire, session, source, isChosen }: FireProps) {
  const [isOpen, setOpen] = useState(isChosen);
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isChosen) row.current?.scrollIntoView({ block: 'center' });
  }, [isChosen]);
  const { role, verdict, runs, tookMs } = fire;
  const ran = runs.filter(({ skipped }) => skipped === undefined);
  const nameOf = (id: string): ShownRun | undefined => runs.find((run) => run.id === id);
  const panel = `panel-${fire.at}`;
  return (
    <li ref={row} class={`row ${role} ${verdict}`}>
      <button
        class="head"
        data-verdict={verdict}
        aria-expanded={isOpen}
        aria-controls={panel}
        onClick={() => setOpen(!isOpen)}
      >
        <time>{clock(fire.time)}</time>
        <span class="mark" />
        <span class="role">{role === 'other' ? fire.event : ROLE_WORDS[role]}</span>
        <span class="subject">{fire.subject}</span>
        <span class="tags">
          <Tags fire={fire} />
          {verdict !== 'none' && <span class={`tag ${verdict}`}>{VERDICT_WORDS[verdict]}</span>}
        </span>
        <span class="cost">
          {ran.length === 0 ? '' : counted(ran.length, 'hook')}
          {tookMs !== undefined && <b>{took(tookMs)}</b>}
        </span>
      </button>
      <Reasons fire={fire} session={session} source={source} nameOf={nameOf} />
      {fire.flow.map(({ kind, text }) => (
        <p class="reason ask" key={kind}>
          {FLOW_WORDS[kind] ?? kind}: {text}
        </p>
      ))}
      <div id={panel} hidden={!isOpen}>
        {isOpen && <FirePanel fire={fire} nameOf={nameOf} />}
      </div>
    </li>
  );
}

type ReasonsProps = Omit<FireProps, 'isChosen'> & Pick<PanelProps, 'nameOf'>;
/** Why the call was not simply approved. A button opens the details of the hook. */
function Reasons({ fire, session, source, nameOf }: ReasonsProps) {
  const [opened, setOpened] = useState<string>();
  const { verdict, reasons } = fire;
  return (
    <>
      {(verdict === 'deny' || verdict === 'ask' || verdict === 'defer') &&
        reasons.map(({ by, text, isBroken }) => (
          <p class={`reason ${verdict}`} key={by + text}>
            <span>
              {isBroken && 'broke: '}
              {text === '' ? 'no reason given' : text}
            </span>{' '}
            <button
              class="link"
              aria-expanded={opened === by}
              onClick={() => setOpened(opened === by ? undefined : by)}
            >
              {nameOf(by)?.place ?? by}
            </button>
          </p>
        ))}
      {opened !== undefined && <RefusalPanel source={source} session={session} at={fire.at} by={opened} />}
    </>
  );
}

function Tags({ fire }: { readonly fire: ShownFire }) {
  const { runs, changed, lost, wouldHave, version } = fire;
  const broke = runs.filter(({ failed }) => failed !== undefined).length;
  return (
    <>
      {changed.length > 0 && <span class="tag changed">changed</span>}
      {broke > 0 && <span class="tag ask">{broke} broke</span>}
      {lost.length > 0 && <span class="tag ask">lost</span>}
      {wouldHave !== undefined && <span class="tag shadow">shadow</span>}
      {version !== undefined && <span class="tag">format {version}</span>}
    </>
  );
}

interface PanelProps {
  readonly fire: ShownFire;
  readonly nameOf: (id: string) => ShownRun | undefined;
}
function FirePanel({ fire, nameOf }: PanelProps) {
  const { lost, marks, wouldHave, version, after, unmatched } = fire;
  return (
    <div class="panel">
      {version !== undefined && (
        <p class="quiet">Written in format {version}, which is not ours: shown as far as it is understood.</p>
      )}
      <RunList runs={fire.runs} tookMs={fire.tookMs ?? 0} />
      {unmatched.length > 0 && (
        <details>
          <summary>{counted(unmatched.length, 'hook')} of this event did not match</summary>
          <ul class="plainlist">
            {unmatched.map((id) => (
              <li key={id}>
                <code>{id}</code>
              </li>
            ))}
          </ul>
        </details>
      )}
      <Changed fire={fire} nameOf={nameOf} />
      <Messages fire={fire} nameOf={nameOf} />
      {lost.length > 0 && (
        <section>
          <h3>Lost</h3>
          <ul class="plainlist">
            {lost.map((what) => (
              <li key={what}>{what}</li>
            ))}
          </ul>
        </section>
      )}
      {wouldHave !== undefined && <p>In shadow, not obeyed: {wouldHave}</p>}
      <details>
        <summary>
          {after === undefined ? 'What hooks were shown' : 'The whole call, before any change'}
        </summary>
        <pre class="block" tabIndex={0}>
          {fire.before}
        </pre>
      </details>
      <p class="quiet small">
        {[
          fire.event,
          ...(fire.call === undefined ? [] : [`call ${fire.call}`]),
          ...(fire.subagent === undefined ? [] : [`subagent ${fire.subagent}`]),
          ...marks,
        ].join(' · ')}
      </p>
    </div>
  );
}

function Changed({ fire, nameOf }: PanelProps) {
  const { before, after, changed } = fire;
  if (after === undefined) return null;
  return (
    <section>
      <h3>Changed</h3>
      <p class="quiet">
        {changed.map(({ by, at }, index) => (
          <span key={by + at}>
            {index > 0 && ', '}
            <code>{at}</code> by {nameOf(by)?.name ?? by}
          </span>
        ))}
      </p>
      <Change before={before} after={after} />
    </section>
  );
}

/** Texts of hooks for the model and the user. */
function Messages({ fire, nameOf }: PanelProps) {
  if (fire.said.length === 0) return null;
  return (
    <section>
      <h3>Told</h3>
      {fire.said.map(({ by, to, text }) => (
        <div class="told" key={by + to + text}>
          <span class="quiet">
            to the {to}, by {nameOf(by)?.name ?? by}
          </span>
          <pre tabIndex={0}>{text}</pre>
        </div>
      ))}
    </section>
  );
}

export const EndRow = ({ end }: { readonly end: ShownEnd }) => (
  <li class="row end">
    <div class="head">
      <time>{clock(end.time)}</time>
      <span class="mark" />
      <span class="role">background</span>
      <span class="subject">
        {end.runs.map(({ name, background }) => `${name}: ${background}`).join('; ')}
      </span>
    </div>
  </li>
);

export const DamageRow = ({ damage }: { readonly damage: ShownDamage }) => (
  <li class="row damage">
    <div class="head">
      <time>?</time>
      <span class="mark" />
      <span class="role">damaged</span>
      <span class="subject">
        a line of {bytes(damage.bytes)} at byte {damage.at} {damage.why}
      </span>
    </div>
  </li>
);
