/** Runs one hook for a made-up event, with the same engine and trust but no other hooks and no record. */

import { EVERYTHING } from '../events/capabilities.ts';
import type { Payload } from '../events/events.ts';
import type { Hook } from '../events/hook.ts';
import { createHooks } from '../library/create-hooks.ts';
import { outcomeLines } from '../render/outcome-lines.ts';
import type { MenuContext } from './context.ts';
import { type Sample, sampleFor } from './sample.ts';

export async function testFire(hook: Hook, menu: MenuContext): Promise<void> {
  const { ui } = menu;
  const sample = await sampleFor(hook);
  if (sample === undefined) return ui.notify(`No known event fires ${hook.on}.`, 'warning');
  const [asIs, other] = ['Fire this', 'Another payload…'];
  const title = `${sample.name} ${JSON.stringify(sample.payload)}`;
  const chosen = await ui.select(title, [asIs, other]);
  if (chosen === undefined) return;
  const payload = chosen === other ? await payloadFrom(menu, sample) : sample.payload;
  if (payload !== undefined) ui.notify((await fired(hook, { ...sample, payload }, menu)).join('\n'));
}

async function payloadFrom({ ui }: MenuContext, { payload }: Sample): Promise<Payload | undefined> {
  const text = await ui.input('The payload, as JSON', JSON.stringify(payload));
  if (text === undefined || text.trim() === '') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Payload;
    ui.notify('Enter a JSON object.', 'error');
  } catch (error) {
    ui.notify(`Invalid JSON: ${(error as Error).message}`, 'error');
  }
  return undefined;
}

async function fired(
  hook: Hook,
  { name, payload }: Sample,
  { where, screen }: MenuContext,
): Promise<string[]> {
  const hooks = await createHooks({
    host: { name: 'anyhook', can: EVERYTHING },
    ...where,
    limits: { only: [hook.id] },
    trust: { selfProtection: false },
    journal: false,
  });
  try {
    const outcome = await hooks.fire({ name, payload });
    if (outcome.runs.length === 0)
      return [`Not run: its matcher ${hook.matcher ?? ''} does not match this event.`];
    const byId = new Map(hooks.hooks.map((hook) => [hook.id, hook]));
    return outcomeLines(name, payload, outcome, (id) => byId.get(id), screen);
  } finally {
    await hooks.close();
  }
}
