/** The arguments of a tool, field by field: a plugin may have brought its own zod, 3 or 4, or plain JSON Schema. */
import type { Fields } from '../../../canon/effects.ts';

export type Field =
  | { readonly kind: 'zod 4'; readonly name: string; readonly schema: ParsingSchema }
  | {
      readonly kind: 'zod 3';
      readonly name: string;
      readonly schema: ParsingSchema & { readonly _def: Fields };
    }
  /** Shown to the model, not checked: so does OpenCode. */
  | { readonly kind: 'json'; readonly name: string; readonly schema: Fields };

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

export function argumentFields(args: unknown): Field[] {
  if (args === undefined || args === null) return [];
  if (typeof args !== 'object' || Array.isArray(args))
    throw new TypeError(`args must be an object with one zod field for each argument, not ${kindOf(args)}`);
  return Object.entries(shapeOf(args)).map(([name, schema]) => fieldOf(name, schema));
}

/** The fields themselves, or a whole `z.object(…)` of them. */
function shapeOf(args: object): object {
  const isSchema = 'safeParseAsync' in args && 'shape' in args;
  return isSchema ? (args.shape as object) : args;
}

function fieldOf(name: string, schema: unknown): Field {
  if (typeof schema !== 'object' || schema === null)
    throw new TypeError(`args.${name} must be a zod type, not ${kindOf(schema)}`);
  const canParse = 'safeParseAsync' in schema;
  if (canParse && '_zod' in schema) return { kind: 'zod 4', name, schema: schema as ParsingSchema };
  if (canParse && '_def' in schema)
    return { kind: 'zod 3', name, schema: schema as ParsingSchema & { _def: Fields } };
  return { kind: 'json', name, schema: schema as Fields };
}

const kindOf = (value: unknown): string => (Array.isArray(value) ? 'a list' : `${value} (${typeof value})`);
