/** What the menu works with: dialogs of a terminal or an agent, and the current hooks. */

import type { Locations } from '../events/dialect.ts';
import type { Dialogs } from '../events/services.ts';
import type { Options } from '../gather/options.ts';
import type { Hooks } from '../library/hooks.ts';
import type { Screen } from '../render/screen.ts';

export interface MenuContext {
  readonly ui: Pick<Dialogs, 'select' | 'confirm' | 'input' | 'notify'>;
  readonly hooks: Pick<Hooks, 'hooks' | 'examined' | 'grant' | 'reload'> & Partial<Pick<Hooks, 'disabled'>>;
  /** As passed to `createHooks`. */
  readonly where: Pick<Options, 'cwd' | 'home' | 'env'>;
  readonly locations: Locations;
  readonly screen: Screen;
}

export interface Choice<T> {
  readonly text: string;
  readonly value: T;
}

/** Dialogs return the chosen text, so equal texts are made distinct. */
export async function choose<T>(
  { ui }: Pick<MenuContext, 'ui'>,
  title: string,
  choices: readonly Choice<T>[],
): Promise<T | undefined> {
  const counts = new Map<string, number>();
  const texts = choices.map(({ text }) => {
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    return count === 1 ? text : `${text} (${count})`;
  });
  const chosen = await ui.select(title, texts);
  return chosen === undefined ? undefined : choices[texts.indexOf(chosen)]?.value;
}
