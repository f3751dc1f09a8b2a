/**
 * Where a fire stands in the trace of the agent that fired it (W3C trace context). Each hook gets a span of its own under the
 * fire's; its id is made from what the record holds anyway, so that whoever exports the record later finds the same one.
 */

/** As it travels: two headers, or the variables `TRACEPARENT` and `TRACESTATE`. */
export interface TraceHeaders {
  readonly traceparent: string;
  readonly tracestate?: string;
}

export interface TraceContext {
  /** Of the whole trace: 32 hex digits. */
  readonly id: string;
  /** The span of this fire, and the agent's span that it is under: 16 hex digits. */
  readonly span: string;
  readonly parent: string;
  /** 2 hex digits; the lowest bit says that it is recorded. */
  readonly flags: string;
  readonly state?: string;
}

const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:-.*)?$/;

/** Undefined: nobody traces. */
export function traceHeadersIn(env: Readonly<Record<string, string | undefined>>): TraceHeaders | undefined {
  const { TRACEPARENT: traceparent = '', TRACESTATE: tracestate = '' } = env;
  return traceparent === '' ? undefined : { traceparent, ...(tracestate !== '' && { tracestate }) };
}

/** Undefined for what is no trace context: it is not ours to mend, and nothing depends on it. */
export function traceUnder(
  { traceparent, tracestate }: TraceHeaders,
  newSpan: () => string,
): TraceContext | undefined {
  const [, id, parent, flags] = TRACEPARENT.exec(traceparent) ?? [];
  if (id === undefined || parent === undefined || flags === undefined) return undefined;
  return { id, span: newSpan(), parent, flags, ...(tracestate !== undefined && { state: tracestate }) };
}

/** What a hook is told: its own span is the parent of whatever it does. */
export function traceHeadersFor(trace: TraceContext, hook: string, round: 1 | 2): TraceHeaders {
  return {
    traceparent: `00-${trace.id}-${hookSpanOf(trace, hook, round)}-${trace.flags}`,
    ...(trace.state !== undefined && { tracestate: trace.state }),
  };
}

/** FNV-1a, 64 bits: no secret, only the same for the same hook of the same fire, and another for any other. */
export function hookSpanOf({ span }: Pick<TraceContext, 'span'>, hook: string, round: 1 | 2): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(`${span}\0${hook}\0${round}`))
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return (hash === 0n ? 1n : hash).toString(16).padStart(16, '0');
}
