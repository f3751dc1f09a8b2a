/**
 * A list that never changes, including everything in it. The journal serialises it once and reuses the bytes.
 */
export class FixedList<T> extends Array<T> {}
