/**
 * Copies plain objects and arrays and keeps functions and class instances as they are. Repeated and circular
 * references stay so in the copy. Unlike `structuredClone`, it accepts every value that hooks receive.
 */
export const copyPlain = <T>(value: T): T => copy(value, asMade, new Copies()) as T;

/** Returns a deeply frozen copy. */
export const frozenCopy = <T>(value: T): T => copy(value, Object.freeze, new Copies()) as T;

type Seal = (made: object) => object;
const asMade: Seal = (made) => made;

const { hasOwnProperty } = Object.prototype;

function copy(value: unknown, seal: Seal, copies: Copies): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return copies.of(value) ?? copyList(value, seal, copies);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  const known = copies.of(value);
  if (known !== undefined) return known;
  const made: Record<string, unknown> = prototype === null ? Object.create(null) : {};
  copies.add(value, made);
  for (const key in value)
    if (hasOwnProperty.call(value, key)) {
      const item = (value as Record<string, unknown>)[key];
      put(made, key, typeof item === 'object' ? copy(item, seal, copies) : item);
    }
  return seal(made);
}

function copyList(list: readonly unknown[], seal: Seal, copies: Copies): object {
  const made: unknown[] = [];
  copies.add(list, made);
  for (const item of list) made.push(copy(item, seal, copies));
  return seal(made);
}

/** Treats `__proto__` as an ordinary key. */
function put(home: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') home[key] = value;
  else Object.defineProperty(home, key, { value, enumerable: true, writable: true, configurable: true });
}

interface Copied {
  readonly original: object;
  readonly made: object;
  readonly before: Copied | undefined;
}
/** Up to this many copies, a linear search is faster than a map. */
const FEW = 16;

class Copies {
  #last: Copied | undefined;
  #count = 0;
  #many: Map<object, object> | undefined;

  of(original: object): object | undefined {
    if (this.#many !== undefined) return this.#many.get(original);
    for (let one = this.#last; one !== undefined; one = one.before)
      if (one.original === original) return one.made;
    return undefined;
  }

  add(original: object, made: object): void {
    if (this.#many !== undefined) return void this.#many.set(original, made);
    this.#last = { original, made, before: this.#last };
    if (++this.#count > FEW) this.#many = this.#all();
  }
  #all(): Map<object, object> {
    const all = new Map<object, object>();
    for (let one = this.#last; one !== undefined; one = one.before) all.set(one.original, one.made);
    return all;
  }
}
