/** A model that the user can make available. The message has the cause and the fix; no stack is printed. */
export class NoModel extends Error {
  override readonly name = 'NoModel';
}
