/** Converts tool schemas of any kind: zod 3 or 4 from any copy, typebox, ArkType, plain JSON Schema. */

import { z } from 'zod';
import type { Fields } from '../../events/effects.ts';
import { isOptionalZod3, schemaOfZod3 } from './zod-3.ts';
import { isOptionalZod4, schemaOfZod4, type Zod4 } from './zod-4.ts';

export interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}
export interface ParsingSchema {
  safeParseAsync(
    value: unknown,
  ): Promise<
    | { readonly success: true; readonly data: unknown }
    | { readonly success: false; readonly error: { readonly issues: readonly Issue[] } }
  >;
}
export type AnySchema =
  | { readonly kind: 'zod 4'; readonly schema: ParsingSchema & Zod4 }
  | { readonly kind: 'zod 3'; readonly schema: ParsingSchema & { readonly _def: Fields } }
  /** Shown to the model. The dialect decides who checks it. */
  | { readonly kind: 'json'; readonly schema: Fields };

export function schemaIn(value: object): AnySchema {
  if ('safeParseAsync' in value && '_zod' in value)
    return { kind: 'zod 4', schema: value as ParsingSchema & Zod4 };
  if ('safeParseAsync' in value && '_def' in value)
    return { kind: 'zod 3', schema: value as ParsingSchema & { _def: Fields } };
  const written = 'toJsonSchema' in value ? value.toJsonSchema : undefined;
  if (typeof written === 'function') return { kind: 'json', schema: Reflect.apply(written, value, []) as Fields };
  return { kind: 'json', schema: value as Fields };
}

/** Returns the schema that the model receives. */
export function jsonSchemaOf(of: AnySchema): Fields {
  if (of.kind === 'json') return of.schema;
  if (of.kind === 'zod 3') return schemaOfZod3(of.schema);
  try {
    const { $schema: _, '~standard': __, ...written } = byZod(of.schema);
    return written;
  } catch {
    return schemaOfZod4(of.schema);
  }
}

/** Whether an argument may be omitted. */
export function mayBeMissing(of: AnySchema): boolean {
  if (of.kind === 'json') return false;
  return of.kind === 'zod 3' ? isOptionalZod3(of.schema) : isOptionalZod4(of.schema);
}

const byZod = (schema: unknown): Fields =>
  z.toJSONSchema(schema as never, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      // Another copy of zod stores descriptions in a registry that ours cannot read.
      const { description } = zodSchema as { description?: string };
      if (description !== undefined) jsonSchema.description ??= description;
    },
  }) as unknown as Fields;
