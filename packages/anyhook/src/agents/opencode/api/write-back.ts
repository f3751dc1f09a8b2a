import { isPlain } from '../../../events/changes.ts';

/** Makes `home` equal to `after` in place: who holds a reference to a part of `home` sees the change. */
export function writeBack(home: unknown, after: unknown): void {
  if (Array.isArray(home) && Array.isArray(after)) {
    home.length = Math.min(home.length, after.length);
    for (const [index, value] of after.entries()) put(home, index, value);
  } else if (isPlain(home) && isPlain(after)) {
    // Undefined values do not cross between processes: such a key is missing in `after` though nobody removed it.
    for (const key of Object.keys(home))
      if (!Object.hasOwn(after, key) && home[key] !== undefined) delete home[key];
    for (const key of Object.keys(after)) put(home, key, after[key]);
  }
}

function put(home: object, key: PropertyKey, value: unknown): void {
  const held: unknown = Object.hasOwn(home, key) ? Reflect.get(home, key) : undefined;
  const isSameKind = (isPlain(held) && isPlain(value)) || (Array.isArray(held) && Array.isArray(value));
  if (isSameKind) writeBack(held, value);
  else Object.defineProperty(home, key, { value, enumerable: true, writable: true, configurable: true });
}
