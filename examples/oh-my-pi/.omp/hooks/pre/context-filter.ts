import type { HookAPI } from '@oh-my-pi/pi-coding-agent/hooks';

export default function (pi: HookAPI): void {
  pi.on('context', async (event) => {
    const filtered = event.messages.filter(
      (msg) => !(msg.role === 'custom' && msg.customType === 'debug-only'),
    );
    return { messages: filtered };
  });
}
