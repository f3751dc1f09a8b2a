import { context, defineHook, set } from 'anyhook';

/** Forced pushes become leases: nobody's work is overwritten unseen. */
export const leases = defineHook({
  on: 'tool.before',
  match: 'shell(git push*)',
  name: 'lease-instead-of-force',
  roles: ['mutator'],
  run({ payload }) {
    const command = String(payload.input['command']);
    if (!/--force(?!-with-lease)/.test(command)) return undefined;
    return [
      set('input', 'command', command.replace(/--force(?!-with-lease)/, '--force-with-lease')),
      context('A hook turned --force into --force-with-lease.'),
    ];
  },
});

/** What looks like a key does not reach the model. */
export const redact = defineHook({
  on: 'tool.after',
  name: 'redact-keys',
  run({ payload }) {
    const content = payload.content.map((part) => {
      const { text } = part as { text?: string };
      return typeof text === 'string'
        ? { ...(part as object), text: text.replace(/sk-[a-z0-9-]+/g, '[redacted]') }
        : part;
    });
    return set('content', content);
  },
});
