import type { HookAPI } from '@oh-my-pi/pi-coding-agent/hooks';

/** A hook module of oh-my-pi: keys do not reach the model. */
export default function (pi: HookAPI): void {
  pi.on('tool_result', async ({ content }) => ({
    content: content.map((part) =>
      part.type === 'text' ? { ...part, text: part.text.replaceAll(/sk-[\w-]+/g, '[redacted]') } : part,
    ),
  }));
  pi.on('session.compacting', async () => ({ context: ['Keep the version that was released.'] }));
}
