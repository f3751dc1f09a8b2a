import { readFileSync } from 'node:fs';
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import { attributesOf, RESOURCE_ATTRIBUTES, type Sender } from './attributes.ts';

const { name, version } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as { readonly name: string; readonly version: string };

/** A single object, because OpenTelemetry groups by identity. */
export const SCOPE = { name, version };

export const resourceOf = (sender: Omit<Sender, 'version'>): Resource =>
  resourceFromAttributes(attributesOf(RESOURCE_ATTRIBUTES, { ...sender, version }));
