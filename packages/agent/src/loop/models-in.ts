import type { Life } from './talk.ts';

/** A model as modules of oh-my-pi see it. */
export interface ModelView {
  readonly provider: string;
  readonly id: string;
  readonly name: string;
  readonly contextWindow?: number;
}

/** The active model, then the other models in the settings. */
export function modelsIn({ model, settings }: Pick<Life, 'model' | 'settings'>): readonly ModelView[] {
  const { provider, id, contextTokens } = model;
  const others = [settings.hookModel, settings.smallModel].flatMap((spec) => (spec ? [viewOf(spec)] : []));
  const all = [{ provider, id, name: id, contextWindow: contextTokens }, ...others];
  return all.filter((one, at) => all.findIndex((o) => o.provider === one.provider && o.id === one.id) === at);
}

/** Describes a model of which only the spec is known: `anthropic:claude-x`. */
function viewOf(spec: string): ModelView {
  const at = spec.indexOf(':');
  const id = spec.slice(at + 1);
  return { provider: spec.slice(0, Math.max(0, at)), id, name: id };
}
