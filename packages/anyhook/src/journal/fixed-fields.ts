/**
 * An object that never changes, including everything in it. The journal serialises it once, like a
 * `FixedList`.
 */
export class FixedFields {
  static of<T extends object>(fields: T): T {
    return Object.freeze(Object.assign(new FixedFields(), fields)) as T;
  }
}
