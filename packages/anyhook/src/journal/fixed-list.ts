/** A list that stays as it is, with all that is in it: whoever writes it again and again need write it only once. */
export class FixedList<T> extends Array<T> {}
