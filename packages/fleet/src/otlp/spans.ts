/**
 * Creates a span per fire and per hook that ran. If the agent was traced, they join its trace with the ids that hooks
 * received; otherwise a session is one trace. The same record always gives the same ids.
 */

import { createHash } from 'node:crypto';
import { type HrTime, type SpanContext, SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api';
import { TraceState } from '@opentelemetry/core';
import type { Resource } from '@opentelemetry/resources';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { hookSpanOf, type ReadRecord, type TraceContext } from 'anyhook/journal';
import { attributesOf, HOOK_ATTRIBUTES, RECORD_ATTRIBUTES } from './attributes.ts';
import { SCOPE } from './scope.ts';

export function spansOf(record: ReadRecord, resource: Resource): ReadableSpan[] {
  const trace = traceOf(record);
  const endMs = Date.parse(record.at);
  const startMs = endMs - (record.tookMs ?? 0);
  const fire = contextOf(trace, trace.span);
  const make = spanMaker(resource);
  // The end of a background hook is not a fire. Only a trace links it to its event.
  const isAlone = record.late === true && record.trace === undefined;
  const hooks = record.hooks
    .filter(({ skipped }) => skipped === undefined)
    .map((hook) =>
      make({
        name: `hook ${hook.hook.id}`,
        context: contextOf(trace, hookSpanOf(trace, hook.hook.id, hook.round)),
        parent: isAlone ? undefined : fire,
        // A record has durations but no start times, so all hooks of a fire get the same start.
        startMs,
        endMs: Math.min(startMs + hook.ms, Math.max(endMs, startMs)),
        attributes: attributesOf(HOOK_ATTRIBUTES, hook),
        failure: hook.failed && [hook.failed.kind, hook.failed.detail].filter(Boolean).join(': '),
      }),
    );
  if (record.late === true) return hooks;
  const span = make({
    name: `hooks ${record.event}`,
    context: fire,
    parent:
      record.trace === undefined ? undefined : { ...contextOf(trace, record.trace.parent), isRemote: true },
    startMs,
    endMs,
    attributes: attributesOf(RECORD_ATTRIBUTES, record),
    failure: undefined,
  });
  return [span, ...hooks];
}

/** The trace of an untraced session, derived from its ids. */
export function traceOf({ trace, ids, writer, hash }: ReadRecord): Omit<TraceContext, 'parent'> {
  if (trace !== undefined) return trace;
  const id = createHash('sha256')
    .update(`anyhook\0${ids.session || writer}`)
    .digest('hex')
    .slice(0, 32);
  return { id, span: hash.slice(0, 16), flags: '01' };
}

export const contextOf = (
  { id, flags, state }: Omit<TraceContext, 'parent' | 'span'>,
  span: string,
): SpanContext => ({
  traceId: id,
  spanId: span,
  traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED,
  ...(state !== undefined && { traceState: new TraceState(state) }),
});

interface SpanFacts extends Pick<ReadableSpan, 'name' | 'attributes'> {
  readonly context: SpanContext;
  readonly parent: SpanContext | undefined;
  readonly startMs: number;
  readonly endMs: number;
  readonly failure: string | undefined;
}

const spanMaker =
  (resource: Resource) =>
  ({ name, attributes, context, parent, startMs, endMs, failure }: SpanFacts): ReadableSpan => ({
    name,
    kind: SpanKind.INTERNAL,
    spanContext: () => context,
    ...(parent !== undefined && { parentSpanContext: parent }),
    startTime: hrTime(startMs),
    endTime: hrTime(endMs),
    duration: hrTime(endMs - startMs),
    status:
      failure === undefined
        ? { code: SpanStatusCode.UNSET }
        : { code: SpanStatusCode.ERROR, message: failure },
    attributes,
    links: [],
    events: [],
    ended: true,
    resource,
    instrumentationScope: SCOPE,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  });

/** Seconds and nanoseconds. An invalid time becomes zero. */
export function hrTime(ms: number): HrTime {
  if (!(ms > 0)) return [0, 0];
  const seconds = Math.floor(ms / 1000);
  return [seconds, Math.round((ms - seconds * 1000) * 1_000_000)];
}
