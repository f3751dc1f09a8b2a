/** Charts: verdicts per day, and the time of the slowest hooks. */

import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import type { DayTally, HookSheet } from '../src/view/wire.ts';
import { count, took } from './words.ts';

const VERDICTS = [
  ['deny', 'refused'],
  ['ask', 'asked'],
  ['allow', 'approved'],
  ['none', 'no objection'],
] as const;
const HEIGHT = 190;
const LINES = 5;

export function DayPlot({ days }: { readonly days: readonly DayTally[] }) {
  const total = (name: (typeof VERDICTS)[number][0]) => days.reduce((sum, day) => sum + day[name], 0);
  const label = VERDICTS.map(([name, word]) => `${count(total(name))} ${word}`).join(', ');
  // Tallest first: each bar is drawn over the one that contains it.
  const stacked = VERDICTS.map((_, at) =>
    days.map((day) => VERDICTS.slice(0, at + 1).reduce((sum, [name]) => sum + day[name], 0)),
  ).reverse();
  const names = [...VERDICTS].reverse();
  return (
    <Figure
      title="Verdicts per day"
      label={`${days.length} days: ${label}`}
      legend={VERDICTS.map(([name, word]) => ({
        colour: `--plot-${name}`,
        text: `${word} ${count(total(name))}`,
      }))}
      data={[days.map((_, at) => at), ...stacked]}
      make={(colour) => ({
        axes: axesOf(days, colour, (value) => count(value)),
        scales: {
          x: { time: false, range: [-0.6, Math.max(days.length - 0.4, 2.6)] },
          y: { range: (_, __, max) => [0, Math.max(1, max * 1.05)] },
        },
        series: [
          {},
          ...names.map(([name]) => ({
            fill: colour(`--plot-${name}`),
            width: 0,
            points: { show: false },
            paths: uPlot.paths.bars!({ size: [0.7, 44] }),
          })),
        ],
      })}
    />
  );
}

interface TimePlotProps {
  readonly days: readonly DayTally[];
  readonly hooks: readonly HookSheet[];
}
export function TimePlot({ days, hooks }: TimePlotProps) {
  const spent = ({ runs, p50 = 0, p95 = 0 }: HookSheet) => runs * (p50 + p95);
  const slowest = hooks
    .filter(({ runs }) => runs > 0)
    .toSorted((a, b) => spent(b) - spent(a))
    .slice(0, LINES);
  return (
    <Figure
      title="Time per run, by hook and day"
      label={slowest.map(({ name, p50 = 0 }) => `${name}: ${took(p50)}`).join('; ')}
      legend={slowest.map(({ name }, at) => ({ colour: `--line-${at}`, text: name }))}
      data={[
        days.map((_, at) => at),
        ...slowest.map((hook) => hook.days.map((ms) => (ms === null ? null : Math.max(ms, 0.01)))),
      ]}
      make={(colour) => ({
        axes: axesOf(days, colour, took, (value) => Number.isInteger(Math.log10(value))),
        scales: {
          x: { time: false, range: [-0.6, Math.max(days.length - 0.4, 2.6)] },
          y: { distr: 3, range: (_, low, high) => tens(low, high) },
        },
        series: [
          {},
          ...slowest.map((_, at) => ({
            stroke: colour(`--line-${at}`),
            width: 2,
            points: { show: true, size: 6, fill: colour(`--line-${at}`) },
          })),
        ],
      })}
    />
  );
}

/** Whole powers of ten around the data. */
const tens = (low: number | null, high: number | null): uPlot.Range.MinMax => [
  10 ** Math.floor(Math.log10(low ?? 1)),
  10 ** (Math.floor(Math.log10(high ?? 1)) + 1),
];

type Colour = (name: string) => string;
type Drawn = Omit<uPlot.Options, 'width' | 'height'>;

function axesOf(
  days: readonly DayTally[],
  colour: Colour,
  shown: (value: number) => string,
  isMarked: (value: number) => boolean = () => true,
): uPlot.Axis[] {
  const shared = {
    stroke: colour('--muted'),
    font: '11px system-ui, sans-serif',
    ticks: { show: false },
  };
  return [
    {
      ...shared,
      size: 26,
      grid: { show: false },
      splits: (plot) => {
        const every = Math.max(1, Math.ceil(days.length / Math.max(1, Math.floor(plot.width / 70))));
        return days.map((_, at) => at).filter((at) => at % every === 0);
      },
      values: (_, splits) => splits.map((at) => days[at]?.day.slice(5) ?? ''),
    },
    {
      ...shared,
      size: 58,
      filter: (_, splits) => splits.map((value) => (isMarked(value) ? value : null)),
      grid: {
        stroke: colour('--line'),
        width: 1,
        filter: (_, splits) => splits.map((value) => (isMarked(value) ? value : null)),
      },
      values: (_, splits) => splits.map((value) => (value === null ? '' : shown(value))),
    },
  ];
}

interface FigureProps {
  readonly title: string;
  /** Text alternative for screen readers. */
  readonly label: string;
  readonly legend: readonly { readonly colour: string; readonly text: string }[];
  readonly data: readonly (readonly (number | null)[])[];
  readonly make: (colour: Colour) => Drawn;
}

function Figure({ title, label, legend, data, make }: FigureProps) {
  const place = useRef<HTMLDivElement>(null);
  const key = JSON.stringify(data);
  useEffect(() => {
    const home = place.current!;
    const dark = matchMedia('(prefers-color-scheme: dark)');
    let plot: uPlot | undefined;
    const draw = () => {
      plot?.destroy();
      const style = getComputedStyle(home);
      const options = make((name) => style.getPropertyValue(name).trim());
      const shared = {
        cursor: { show: false },
        legend: { show: false },
        select: { show: false, left: 0, top: 0, width: 0, height: 0 },
      };
      plot = new uPlot(
        { ...options, ...shared, width: Math.max(200, home.clientWidth), height: HEIGHT },
        data as unknown as uPlot.AlignedData, // columns of numbers, the first without gaps
        home,
      );
    };
    draw();
    const watcher = new ResizeObserver(() =>
      plot?.setSize({ width: Math.max(200, home.clientWidth), height: HEIGHT }),
    );
    watcher.observe(home);
    dark.addEventListener('change', draw);
    return () => {
      watcher.disconnect();
      dark.removeEventListener('change', draw);
      plot?.destroy();
    };
  }, [key]);
  return (
    <figure>
      <figcaption>
        <h2>{title}</h2>
      </figcaption>
      <div class="plot" ref={place} role="img" aria-label={`${title}. ${label}`} />
      <ul class="legend">
        {legend.map(({ colour, text }) => (
          <li key={colour}>
            <svg viewBox="0 0 10 10" aria-hidden="true">
              <rect width="10" height="10" rx="2" style={{ fill: `var(${colour})` }} />
            </svg>
            <span>{text}</span>
          </li>
        ))}
      </ul>
    </figure>
  );
}
