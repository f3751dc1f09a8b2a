import { isPlain } from './changes.ts';

/**
 * A copy of plain data: objects and arrays anew, functions and instances of classes as they are; what stands in two
 * places, or in itself, does so in the copy. Unlike `structuredClone` it takes everything that hooks are really called
 * with.
 */
export const copyPlain = <T>(value: T): T => copy(value, asMade, new Copies()) as T;

/** The same, and nobody can write to it. */
export const frozenCopy = <T>(value: T): T => copy(value, Object.freeze, new Copies()) as T;

type Seal = (made: object) => object;
const asMade: Seal = (made) => made;

function copy(value: unknown, seal: Seal, copies: Copies): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const list = Array.isArray(value);
  if (!list && !isPlain(value)) return value;
  const known = copies.of(value);
  if (known !== undefined) return known;
  const made: unknown[] | Record<string, unknown> = list
    ? []
    : (Object.create(Object.getPrototypeOf(value)) as Record<string, unknown>);
  copies.add(value, made);
  if (Array.isArray(made)) for (const item of value as unknown[]) made.push(copy(item, seal, copies));
  else
    for (const key of Object.keys(value))
      put(made, key, copy((value as Record<string, unknown>)[key], seal, copies));
  return seal(made);
}

/** A key called `__proto__` is a key like any other. */
function put(home: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') home[key] = value;
  else Object.defineProperty(home, key, { value, enumerable: true, writable: true, configurable: true });
}

/** While there are few copies, a scan of the list is faster than a map. */
const FEW = 16;

class Copies {
  readonly #originals: object[] = [];
  readonly #made: object[] = [];
  #many: Map<object, object> | undefined;
  /** For its shape, as with `OutcomeWith.kept`. */
  static readonly kept = new Copies();

  of(original: object): object | undefined {
    if (this.#many !== undefined) return this.#many.get(original);
    const at = this.#originals.indexOf(original);
    return at === -1 ? undefined : this.#made[at];
  }

  add(original: object, made: object): void {
    if (this.#many !== undefined) return void this.#many.set(original, made);
    this.#originals.push(original);
    this.#made.push(made);
    if (this.#originals.length > FEW)
      this.#many = new Map(this.#originals.map((one, at) => [one, this.#made[at]!]));
  }
}
