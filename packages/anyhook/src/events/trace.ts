/**
 * Trace context of a fire (W3C). Each hook gets a span below the span of the fire. The span's id is derived
 * from recorded data, so that a later export computes the same one.
 */

/** The transport form: two headers, or the variables `TRACEPARENT` and `TRACESTATE`. */
export interface TraceHeaders {
  readonly traceparent: string;
  readonly tracestate?: string;
}

export interface TraceContext {
  /** Id of the whole trace: 32 hex digits. */
  readonly id: string;
  /** The span of this fire, and the agent's span above it: 16 hex digits. */
  readonly span: string;
  readonly parent: string;
  /** 2 hex digits; the lowest bit means that it is recorded. */
  readonly flags: string;
  readonly state?: string;
}

const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:-.*)?$/;

/** Returns undefined if there is no trace. */
export function traceHeadersIn(env: Readonly<Record<string, string | undefined>>): TraceHeaders | undefined {
  const { TRACEPARENT: traceparent = '', TRACESTATE: tracestate = '' } = env;
  return traceparent === '' ? undefined : { traceparent, ...(tracestate !== '' && { tracestate }) };
}

/** Returns undefined for an invalid trace context. Nothing depends on it, so it is not an error. */
export function traceUnder(
  { traceparent, tracestate }: TraceHeaders,
  newSpan: () => string,
): TraceContext | undefined {
  const [, id, parent, flags] = TRACEPARENT.exec(traceparent) ?? [];
  if (id === undefined || parent === undefined || flags === undefined) return undefined;
  return { id, span: newSpan(), parent, flags, ...(tracestate !== undefined && { state: tracestate }) };
}

/** Returns the headers for a hook, with its own span as the parent of its work. */
export function traceHeadersFor(trace: TraceContext, hook: string, round: 1 | 2): TraceHeaders {
  return {
    traceparent: `00-${trace.id}-${hookSpanOf(trace, hook, round)}-${trace.flags}`,
    ...(trace.state !== undefined && { tracestate: trace.state }),
  };
}

/** FNV-1a, 64 bits: not secret, only stable for one hook of one fire and different for any other. */
export function hookSpanOf({ span }: Pick<TraceContext, 'span'>, hook: string, round: 1 | 2): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(`${span}\0${hook}\0${round}`))
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return (hash === 0n ? 1n : hash).toString(16).padStart(16, '0');
}
