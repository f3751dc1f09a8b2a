/** An object that never changes, with all that is in it: the journal turns it into bytes once, as it does with `FixedList`. */
export class FixedFields {
  static of<T extends object>(fields: T): T {
    return Object.freeze(Object.assign(new FixedFields(), fields)) as T;
  }
}
