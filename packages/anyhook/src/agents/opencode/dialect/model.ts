/** The model and its provider with all fields that plugins expect. Unknown values are empty or defaults. */

import { isPlain } from '../../../events/changes.ts';
import type { Fields } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';

const TEXT = { text: true, audio: false, image: false, video: false, pdf: false };

export function modelOf(load: Fields, event: Event): Fields {
  const model = isPlain(load['model']) ? load['model'] : {};
  const id = String(model['id'] ?? model['modelID'] ?? event.scene.model ?? '');
  return {
    id,
    providerID: '',
    modelID: id, // its name in messages
    name: id,
    api: { id, url: '', npm: '' },
    capabilities: {
      temperature: true,
      reasoning: false,
      attachment: false,
      toolcall: true,
      input: TEXT,
      output: TEXT,
      interleaved: false,
    },
    cost: { input: 0, output: 0, cache: { read: 0, write: 0 } },
    limit: { context: 0, output: 0 },
    status: 'active',
    options: {},
    headers: {},
    family: '',
    release_date: '',
    variants: {},
    ...model,
  };
}

export function providerOf(load: Fields, event: Event): Fields {
  const provider = isPlain(load['provider']) ? load['provider'] : {};
  const model = modelOf(load, event);
  const id = String(provider['id'] ?? model['providerID']);
  const info = {
    id,
    name: id,
    source: 'custom',
    env: [],
    options: {},
    models: { [String(model['id'])]: model },
  };
  return {
    ...info, // OpenCode's location; its types have it in `info`
    ...provider,
    info: isPlain(provider['info']) ? { ...info, ...provider['info'] } : info,
  };
}
