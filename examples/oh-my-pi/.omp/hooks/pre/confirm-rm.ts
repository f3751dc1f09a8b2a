import type { HookAPI } from '@oh-my-pi/pi-coding-agent/hooks';

export default function (pi: HookAPI): void {
  pi.on('tool_call', async (event, ctx) => {
    if (event.toolName !== 'bash') return;
    const cmd = String(event.input.command ?? '');
    if (!cmd.includes('rm -rf')) return;

    if (!ctx.hasUI) return { block: true, reason: 'rm -rf blocked (no UI)' };
    const ok = await ctx.ui.confirm('Dangerous command', `Allow: ${cmd}`);
    if (!ok) return { block: true, reason: 'user denied command' };
  });
}
