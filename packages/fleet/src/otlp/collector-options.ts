/** Reads the address of the collector from the command line and from the variables of OpenTelemetry. */

import { parseKeyPairsIntoRecord } from '@opentelemetry/core';
import type { CollectorOptions } from './post.ts';

const TIMEOUT_MS = 10_000;

export function collectorIn(
  otlp: string | true,
  ca: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): CollectorOptions {
  const variable = (name: string): string | undefined =>
    env[`OTEL_EXPORTER_OTLP_${name}`]?.trim() || undefined;
  const endpoint = otlp === true ? (variable('ENDPOINT') ?? 'http://localhost:4318') : otlp;
  if (!URL.canParse(endpoint) || !/^https?:$/.test(new URL(endpoint).protocol))
    throw new Error(`ship: ${JSON.stringify(endpoint)} is not a collector URL; use http://host:4318`);
  const protocol = variable('PROTOCOL') ?? 'http/protobuf';
  if (protocol !== 'http/protobuf')
    throw new Error(
      `ship: OTEL_EXPORTER_OTLP_PROTOCOL is ${protocol}, but only http/protobuf is supported (port 4318)`,
    );
  const timeoutMs = Number(variable('TIMEOUT') ?? TIMEOUT_MS);
  if (!(timeoutMs > 0))
    throw new Error('ship: OTEL_EXPORTER_OTLP_TIMEOUT must be milliseconds, such as 10000');
  const authority = ca ?? variable('CERTIFICATE');
  return {
    endpoint,
    headers: parseKeyPairsIntoRecord(variable('HEADERS') ?? ''),
    isGzipped: variable('COMPRESSION') === 'gzip',
    timeoutMs,
    ...(authority !== undefined && { ca: authority }),
  };
}
