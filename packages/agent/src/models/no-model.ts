/** A model cannot be opened, by the person's doing: the message says what, where and what to do. No stack is shown. */
export class NoModel extends Error {
  override readonly name = 'NoModel';
}
