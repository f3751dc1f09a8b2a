/**
 * Checks what a hook returns against the zod schema of its field. zod is loaded for the first hook that
 * changes something.
 */

import { createRequire } from 'node:module';
import type * as Zod from 'zod';
import { same } from './changes.ts';
import type { Path } from './document.ts';
import { isFields } from './fields.ts';

/** The innermost part that does not match the schema. */
export interface Misfit {
  readonly path: Path;
  readonly value: unknown;
  /** For messages: "a list". */
  readonly expected: string;
}

let loaded: typeof Zod | undefined;
const zod = (): typeof Zod => (loaded ??= createRequire(import.meta.url)('zod') as typeof Zod);

const schemas = new Map<unknown, Zod.ZodType>();
/** Built once per row of the table. */
export function schemaFrom<S extends Zod.ZodType>(row: (z: typeof Zod.z) => S): S {
  const schema = schemas.get(row) ?? row(zod().z);
  schemas.set(row, schema);
  return schema as S; // created from this row
}

/** `shown`: the values the hook received. A part that the hook only passes on is not its mistake. */
export function misfitIn(schema: Zod.ZodType, value: unknown, shown: readonly unknown[]): Misfit | undefined {
  const { error } = schema.safeParse(value);
  if (error === undefined) return undefined;
  return firstMisfit(error.issues, { schema, value, shown, path: [] });
}

/** A part of the value, with its schema and what the hook received at this path. */
interface Part {
  readonly schema: Zod.ZodType | undefined;
  readonly value: unknown;
  readonly shown: readonly unknown[];
  readonly path: Path;
}

function firstMisfit(issues: readonly Zod.core.$ZodIssue[], root: Part): Misfit | undefined {
  for (const issue of issues) {
    const found = misfitOfIssue(issue, root);
    if (found !== undefined) return found;
  }
  return undefined;
}

function misfitOfIssue(issue: Zod.core.$ZodIssue, root: Part): Misfit | undefined {
  let part = root;
  if (wasShown(part)) return undefined;
  for (const key of issue.path) {
    part = below(part, key);
    if (wasShown(part)) return undefined;
  }
  if (issue.code === 'invalid_union') {
    const found = issue.errors.map((errors, at) =>
      firstMisfit(errors, { ...part, schema: optionsOf(part.schema)[at] }),
    );
    if (found.includes(undefined) && found.length > 0) return undefined;
    const deeper = found.find((one) => one!.path.length > part.path.length);
    if (deeper !== undefined) return deeper;
  }
  return { path: part.path, value: part.value, expected: expectedBy(part.schema) };
}

const wasShown = ({ value, shown }: Part): boolean => shown.some((one) => same(one, value));

function below({ schema, value, shown, path }: Part, key: PropertyKey): Part {
  const name = key as string | number; // documents have no other kind of key
  return {
    schema: partSchema(schema, name),
    value: (value as Readonly<Record<string | number, unknown>>)[name],
    shown:
      typeof name === 'number'
        ? shown.filter(Array.isArray).flat()
        : shown.filter(isFields).flatMap((one) => (Object.hasOwn(one, name) ? [one[name]] : [])),
    path: [...path, name],
  };
}

function partSchema(schema: Zod.ZodType | undefined, key: string | number): Zod.ZodType | undefined {
  const { z } = zod();
  const inner = unwrapped(schema);
  if (inner instanceof z.ZodObject) return inner.shape[key] as Zod.ZodType | undefined;
  if (inner instanceof z.ZodArray) return inner.element as Zod.ZodType;
  return inner instanceof z.ZodRecord ? (inner.valueType as Zod.ZodType) : undefined;
}

function unwrapped(schema: Zod.ZodType | undefined): Zod.ZodType | undefined {
  const { z } = zod();
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
    ? unwrapped(schema.unwrap() as Zod.ZodType)
    : schema;
}
function optionsOf(schema: Zod.ZodType | undefined): readonly Zod.ZodType[] {
  const inner = unwrapped(schema);
  return inner instanceof zod().z.ZodUnion ? (inner.options as readonly Zod.ZodType[]) : [];
}

/** Describes what the schema accepts, for messages. */
/** Whether the field may be missing. A schema of unknown values accepts undefined too, and its field is required all the same. */
export function isOptionalField(schema: Zod.ZodType): boolean {
  const { z } = zod();
  if (schema instanceof z.ZodNullable) return isOptionalField(schema.unwrap() as Zod.ZodType);
  return schema instanceof z.ZodOptional;
}

export function expectedBy(schema: Zod.ZodType | undefined): string {
  const { z } = zod();
  if (schema instanceof z.ZodOptional) return expectedBy(schema.unwrap() as Zod.ZodType);
  if (schema instanceof z.ZodNullable) return `${expectedBy(schema.unwrap() as Zod.ZodType)} or null`;
  if (schema instanceof z.ZodUnion) return optionsOf(schema).map(expectedBy).join(' or ');
  if (schema instanceof z.ZodString) return 'a string';
  if (schema instanceof z.ZodBoolean) return 'true or false';
  if (schema instanceof z.ZodArray) return 'a list';
  if (schema instanceof z.ZodNumber) return expectedNumber(schema);
  return schema instanceof z.ZodUnknown || schema === undefined ? 'anything' : 'an object';
}

function expectedNumber({ isInt, minValue, maxValue }: Zod.ZodNumber): string {
  const bound = (word: string, value: number | null): string =>
    value === null || Math.abs(value) >= Number.MAX_SAFE_INTEGER ? '' : ` ${word} ${value}`;
  return `a ${isInt ? 'whole number' : 'number'}${bound('from', minValue)}${bound('to', maxValue)}`;
}
