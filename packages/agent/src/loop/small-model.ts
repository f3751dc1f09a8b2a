import type { OpenedModel } from '../models/open-model.ts';
import type { Talk } from './talk.ts';

/** Returns the model for side jobs if the settings or a hook name one, otherwise undefined. */
export async function smallModel({
  life,
  who,
}: Pick<Talk, 'life' | 'who'>): Promise<OpenedModel | undefined> {
  const { smallModel: wanted = life.model.id } = life.settings;
  const spec = await life.wire.modelSmall(who, life.model.provider, wanted);
  return spec === '' || spec === life.model.id ? undefined : life.openModel(spec);
}
