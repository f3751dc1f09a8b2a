/** A list that never changes, with all that is in it: the journal turns it into bytes once and writes those each time. */
export class FixedList<T> extends Array<T> {}
