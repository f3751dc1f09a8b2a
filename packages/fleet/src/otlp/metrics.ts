/**
 * Metrics as totals since a moment that is stored with the cursors. A record that is sent twice counts once, and a
 * restarted program continues its totals.
 */

import { type Attributes, ValueType } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  DataPointType,
  type MetricData,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics';
import { ATTR_ERROR_TYPE } from '@opentelemetry/semantic-conventions';
import type { LineEntry, ReadRecord } from 'anyhook/journal';
import { SCOPE } from './scope.ts';
import { hrTime } from './spans.ts';

interface Measure {
  readonly kind: 'count' | 'seconds';
  readonly meaning: string;
  readonly by: readonly string[];
  /** The values that a line adds. */
  readonly of: (entry: LineEntry) => readonly (readonly [attributes: Attributes, value: number])[];
}

const fires = (entry: LineEntry, each: (record: ReadRecord) => ReturnType<Measure['of']>) =>
  entry.kind === 'record' && entry.record.late !== true ? each(entry.record) : [];
const ranHooks = ({ hooks }: ReadRecord) => hooks.filter(({ skipped }) => skipped === undefined);

export const METRICS: Readonly<Record<string, Measure>> = {
  'anyhook.fires': {
    kind: 'count',
    meaning: 'events that were fired',
    by: ['anyhook.event', 'anyhook.verdict', 'anyhook.agent.name'],
    of: (entry) =>
      fires(entry, ({ event, verdict, host }) => [
        [{ 'anyhook.event': event, 'anyhook.verdict': verdict, 'anyhook.agent.name': host.name }, 1],
      ]),
  },
  'anyhook.fire.duration': {
    kind: 'seconds',
    meaning: 'how long the agent waited for all hooks of an event',
    by: ['anyhook.event', 'anyhook.agent.name'],
    of: (entry) =>
      fires(entry, ({ event, host, tookMs }) =>
        tookMs === undefined
          ? []
          : [[{ 'anyhook.event': event, 'anyhook.agent.name': host.name }, tookMs / 1000]],
      ),
  },
  'anyhook.hook.duration': {
    kind: 'seconds',
    meaning: 'how long one hook took',
    by: ['anyhook.hook.id', 'anyhook.event'],
    of: (entry) =>
      entry.kind === 'damage'
        ? []
        : ranHooks(entry.record).map(({ hook, ms }) => [
            { 'anyhook.hook.id': hook.id, 'anyhook.event': entry.record.event },
            ms / 1000,
          ]),
  },
  'anyhook.hook.failures': {
    kind: 'count',
    meaning: 'hooks that failed',
    by: ['anyhook.hook.id', ATTR_ERROR_TYPE, 'anyhook.hook.failed_open'],
    of: (entry) =>
      entry.kind === 'damage'
        ? []
        : ranHooks(entry.record).flatMap(({ hook, failed, failedOpen = false }) =>
            failed === undefined
              ? []
              : [
                  [
                    {
                      'anyhook.hook.id': hook.id,
                      [ATTR_ERROR_TYPE]: failed.kind,
                      'anyhook.hook.failed_open': failedOpen,
                    },
                    1,
                  ] as const,
                ],
          ),
  },
  'anyhook.journal.damaged': {
    kind: 'count',
    meaning: 'lines that are no sound record',
    by: [],
    of: (entry) => (entry.kind === 'damage' ? [[{}, 1]] : []),
  },
};

/** One series: a count, and for durations the sum in seconds and the buckets. */
interface Series {
  readonly attributes: Attributes;
  readonly count: number;
  readonly sum: number;
  readonly buckets?: readonly number[];
}

/** As stored with the cursors. */
export interface Totals {
  readonly sinceMs: number;
  readonly series: Readonly<Record<string, readonly Series[]>>;
}

const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
/** The limit of OpenTelemetry; further series are merged into one. */
const MOST_SERIES = 2000;
const OVERFLOW: Attributes = { 'otel.metric.overflow': true };

export const noTotals = (): Totals => ({ sinceMs: Date.now(), series: {} });

/** Returns new totals. The old ones stay valid in case the collector rejects the new ones. */
export function addedUp({ sinceMs, series }: Totals, entries: readonly LineEntry[]): Totals {
  const next: Record<string, Series[]> = {};
  for (const [name, { kind, of }] of Object.entries(METRICS)) {
    const found = new Map((series[name] ?? []).map((one) => [keyOf(one.attributes), one]));
    for (const entry of entries)
      for (const [attributes, value] of of(entry)) {
        const isRoom = found.size < MOST_SERIES || found.has(keyOf(attributes));
        const counted = isRoom ? attributes : OVERFLOW;
        const before = found.get(keyOf(counted)) ?? { attributes: counted, count: 0, sum: 0 };
        found.set(keyOf(counted), plus(before, kind, value));
      }
    if (found.size > 0) next[name] = [...found.values()];
  }
  return { sinceMs, series: next };
}

const keyOf = (attributes: Attributes): string => JSON.stringify(Object.entries(attributes));

function plus(before: Series, kind: Measure['kind'], value: number): Series {
  const counted = { ...before, count: before.count + 1, sum: before.sum + value };
  if (kind === 'count') return counted;
  const { buckets = Array.from({ length: BOUNDS.length + 1 }, () => 0) } = before;
  const at = BOUNDS.findIndex((bound) => value <= bound);
  return { ...counted, buckets: buckets.with(at === -1 ? BOUNDS.length : at, (buckets.at(at) ?? 0) + 1) };
}

export const metricsOf = (totals: Totals, resource: Resource): ResourceMetrics => ({
  resource,
  scopeMetrics: [
    {
      scope: SCOPE,
      metrics: Object.entries(METRICS).flatMap(([name, measure]) => {
        const series = totals.series[name] ?? [];
        return series.length === 0 ? [] : [metricOf(name, measure, series, totals.sinceMs)];
      }),
    },
  ],
});

function metricOf(
  name: string,
  { kind, meaning }: Measure,
  series: readonly Series[],
  sinceMs: number,
): MetricData {
  const [startTime, endTime] = [hrTime(sinceMs), hrTime(Date.now())];
  const aggregationTemporality = AggregationTemporality.CUMULATIVE;
  if (kind === 'count')
    return {
      descriptor: { name, description: meaning, unit: '1', valueType: ValueType.INT },
      aggregationTemporality,
      dataPointType: DataPointType.SUM,
      isMonotonic: true,
      dataPoints: series.map(({ attributes, sum }) => ({ startTime, endTime, attributes, value: sum })),
    };
  return {
    descriptor: { name, description: meaning, unit: 's', valueType: ValueType.DOUBLE },
    aggregationTemporality,
    dataPointType: DataPointType.HISTOGRAM,
    dataPoints: series.map(({ attributes, count, sum, buckets = [] }) => ({
      startTime,
      endTime,
      attributes,
      value: { count, sum, buckets: { boundaries: BOUNDS, counts: [...buckets] } },
    })),
  };
}
