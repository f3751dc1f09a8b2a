/** Fields that stay as they are, with all that is in them: as with `FixedList`, their bytes are made once. */
export class FixedFields {
  static of<T extends object>(fields: T): T {
    return Object.freeze(Object.assign(new FixedFields(), fields)) as T;
  }
}
