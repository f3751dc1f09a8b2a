/**
 * Text of a stream, held back until it is complete: a hook that takes a secret out of it must come before anybody reads
 * it. Everything else passes as it comes.
 */
import type { Fields } from '../../events/effects.ts';
import { isFields } from '../../events/fields.ts';

interface HeldText {
  readonly start: Fields;
  text: string;
}

export function holdText(judge: (text: string) => Promise<string>): TransformStream<unknown, unknown> {
  const open = new Map<unknown, HeldText>();
  type Out = TransformStreamDefaultController<unknown>;
  const release = async (id: unknown, end: Fields | undefined, out: Out): Promise<void> => {
    const held = open.get(id);
    if (held === undefined) return;
    open.delete(id);
    const text = await judge(held.text);
    // What a hook rewrote is no longer what the provider knows: its own notes about the text go.
    const noted = (part: Fields): Fields => (text === held.text ? part : { type: part['type'], id });
    out.enqueue(noted(held.start));
    if (text !== '') out.enqueue({ type: 'text-delta', id, delta: text });
    if (end !== undefined) out.enqueue(noted(end));
  };
  const releaseAll = async (out: Out): Promise<void> => {
    for (const id of open.keys()) await release(id, undefined, out);
  };
  return new TransformStream({
    async transform(part, out) {
      const { type, id, delta } = isFields(part) ? part : {};
      if (type === 'text-start') open.set(id, { start: part as Fields, text: '' });
      else if (type === 'text-delta' && open.has(id)) open.get(id)!.text += String(delta);
      else if (type === 'text-end' && open.has(id)) await release(id, part as Fields, out);
      else {
        // A text that was cut off has no end of its own.
        if (type === 'finish' || type === 'error') await releaseAll(out);
        out.enqueue(part);
      }
    },
    flush: releaseAll,
  });
}
