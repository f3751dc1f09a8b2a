import type { HookAPI } from '@oh-my-pi/pi-coding-agent/hooks';

export default function (pi: HookAPI): void {
  pi.on('tool_result', async (event) => {
    if (event.toolName !== 'read' || event.isError) return;

    const redacted = event.content.map((chunk) => {
      if (chunk.type !== 'text') return chunk;
      return { ...chunk, text: chunk.text.replaceAll(/API_KEY=\S+/g, 'API_KEY=[REDACTED]') };
    });

    return { content: redacted };
  });
}
