import { z } from 'zod';

export const todoSchema = z.looseObject({
  content: z.string().min(1).describe('What is to be done, as an order: "Run the tests"'),
  status: z.enum(['pending', 'in_progress', 'completed', 'cancelled']),
});
export type Todo = z.infer<typeof todoSchema>;

/** The todo list of the session; one per agent. */
export class TodoList {
  #items: readonly Todo[] = [];

  get items(): readonly Todo[] {
    return this.#items;
  }

  /** Items that are not done yet. */
  get open(): readonly Todo[] {
    return this.#items.filter(({ status }) => status === 'pending' || status === 'in_progress');
  }

  replace(items: readonly Todo[]): void {
    this.#items = items.map((item) => ({ ...item }));
  }
}
