/** All hooks: what they did, how long they took, and where they fire. */

import { useEffect, useRef, useState } from 'preact/hooks';
import type { HookSheet, HooksPart } from '../src/view/wire.ts';
import { DayPlot, TimePlot } from './plots.tsx';
import { AdviceList } from './refusal-panel.tsx';
import type { PageProps } from './sessions-page.tsx';
import { TimeRange } from './time-range.tsx';
import { count, counted, moment, took } from './words.ts';

/** Minimum interval of refreshes while agents work. */
const AGAIN_MS = 2000;

interface HooksProps extends PageProps {
  /** The id of the hook in the address. */
  readonly chosen: string;
}

export function HooksPage({ source, report, chosen }: HooksProps) {
  const part = useHooks(source, report);
  const [text, setText] = useState('');
  if (part === undefined) return <p class="quiet">Reading the settings and the journal…</p>;
  const { hooks, days, trouble } = part;
  const wanted = text.trim().toLowerCase();
  const shown = hooks.filter(
    ({ name, place, dialect, on }) =>
      wanted === '' || `${name} ${place} ${dialect} ${on}`.toLowerCase().includes(wanted),
  );
  return (
    <>
      <div class="title">
        <h1>Hooks</h1>
        <p class="quiet">{counted(hooks.length, 'hook')}, of the settings here and of the journal</p>
      </div>
      {trouble !== undefined && <p class="banner bad">{trouble}</p>}
      {days.length > 0 && (
        <div class="plots">
          <DayPlot days={days} />
          <TimePlot days={days} hooks={hooks} />
        </div>
      )}
      <div class="tools">
        <input
          type="search"
          placeholder="Search hooks"
          aria-label="Search hooks"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </div>
      <ul class="hooks">
        {shown.map((hook) => (
          <Hook key={hook.id} hook={hook} isChosen={hook.id === chosen} longest={longestIn(hooks)} />
        ))}
      </ul>
      {shown.length === 0 && <p class="quiet">No hook fits.</p>}
    </>
  );
}

/** Loads all hooks, and loads them again after events. */
function useHooks(source: PageProps['source'], report: PageProps['report']): HooksPart | undefined {
  const [part, setPart] = useState<HooksPart>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const load = () =>
      source.hooks().then(
        (fresh) => {
          if (!isOver) setPart(fresh);
        },
        () => {},
      );
    void load();
    const close = source.follow(
      () => undefined,
      (message) => {
        report(message);
        if (message.kind === 'connection' || source.exported !== undefined) return;
        timer ??= setTimeout(() => {
          timer = undefined;
          void load();
        }, AGAIN_MS);
      },
    );
    return () => {
      isOver = true;
      clearTimeout(timer);
      close();
    };
  }, [source]);
  return part;
}

const longestIn = (hooks: readonly HookSheet[]): number => Math.max(1, ...hooks.map(({ max = 0 }) => max));

interface HookProps {
  readonly hook: HookSheet;
  readonly isChosen: boolean;
  readonly longest: number;
}

function Hook({ hook, isChosen, longest }: HookProps) {
  const [isOpen, setOpen] = useState(isChosen);
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (!isChosen) return;
    setOpen(true);
    item.current?.scrollIntoView({ block: 'center' });
  }, [isChosen]);
  const { p50, p95, max, shadow } = hook;
  const waits = /waits|modified|cannot/.test(hook.trust);
  return (
    <li ref={item} class={`hook${hook.runs === 0 ? ' idle' : ''}`}>
      <button class="hookhead" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span class="what">
          <span class="name">{hook.name}</span>
          <span class="quiet small">
            {[hook.place, `${hook.dialect} ${hook.on}`, hook.matcher].filter(Boolean).join(' · ')}
          </span>
        </span>
        <span class="counts">
          <Number name="runs" value={hook.runs} />
          <Number name="refused" value={hook.refusals} tone="deny" />
          <Number name="broke" value={hook.failures} tone="ask" />
        </span>
        <span class="times">
          {p50 === undefined || p95 === undefined || max === undefined ? (
            <span class="quiet">never ran</span>
          ) : (
            <>
              <TimeRange p50={p50} p95={p95} max={max} longest={longest} />
              <span class="small">
                p50 {took(p50)} · p95 {took(p95)} · max {took(max)}
              </span>
            </>
          )}
        </span>
        <span class="state">
          <span class={`tag ${waits ? 'ask' : ''}`}>{hook.trust}</span>
          {hook.isShadow && <span class="tag shadow">shadow</span>}
        </span>
      </button>
      {shadow !== undefined && (
        <p class="reason shadow">
          In shadow it would have refused {count(shadow.refused)} of {count(shadow.of)}.
        </p>
      )}
      {isOpen && <Sheet hook={hook} />}
    </li>
  );
}

interface NumberProps {
  readonly name: string;
  readonly value: number;
  readonly tone?: string;
}
const Number = ({ name, value, tone = '' }: NumberProps) => (
  <span class="figure">
    <b class={value === 0 ? 'nil' : tone}>{count(value)}</b>
    <span class="quiet small">{name}</span>
  </span>
);

const PLACE_WORDS = { fires: 'asked', own: 'its own', moved: 'elsewhere', never: 'never' } as const;

const Sheet = ({ hook }: { readonly hook: HookSheet }) => (
  <div class="panel">
    {hook.lastSaid !== undefined && (
      <section>
        <h3>Last said</h3>
        <p>
          <span class="text">{hook.lastSaid}</span> <span class="quiet">{moment(hook.lastAt ?? '')}</span>
        </p>
      </section>
    )}
    <section>
      <h3>Where it fires</h3>
      <div class="scroll" tabIndex={0} role="region" aria-label="Where it fires">
        <table class="agents">
          <thead>
            <tr>
              <th scope="col">Agent</th>
              <th scope="col">Is asked</th>
              <th scope="col" class="number">
                Runs
              </th>
            </tr>
          </thead>
          <tbody>
            {hook.agents.map(({ agent, kind, words, runs }) => (
              <tr key={agent}>
                <th scope="row">{agent}</th>
                <td>
                  <span class={`tag ${kind === 'never' ? 'deny' : kind === 'moved' ? 'ask' : ''}`}>
                    {PLACE_WORDS[kind]}
                  </span>{' '}
                  {words}
                </td>
                <td class="number">{count(runs)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
    <section>
      <h3>To type</h3>
      <AdviceList advice={hook.commands} />
    </section>
  </div>
);
