/**
 * Type test: the examples of the document compile with our types. Our compiler requires every path to return and every
 * parameter to be used; nothing else was changed.
 */

import type { HookAPI } from './index.ts';

export function blockRm(pi: HookAPI): void {
  pi.on('tool_call', async (event) => {
    if (event.toolName === 'bash' && String(event.input.command ?? '').includes('rm -rf')) {
      return { block: true, reason: 'blocked by policy' };
    }
    return undefined;
  });
}

export function confirmRm(pi: HookAPI): void {
  pi.on('tool_call', async (event, ctx) => {
    if (event.toolName !== 'bash') return;
    const cmd = String(event.input.command ?? '');
    if (!cmd.includes('rm -rf')) return;

    if (!ctx.hasUI) return { block: true, reason: 'rm -rf blocked (no UI)' };
    const ok = await ctx.ui.confirm('Dangerous command', `Allow: ${cmd}`);
    return ok ? undefined : { block: true, reason: 'user denied command' };
  });
}

export function redact(pi: HookAPI): void {
  pi.on('tool_result', async (event) => {
    if (event.toolName !== 'read' || event.isError) return;

    const redacted = event.content.map((chunk) => {
      if (chunk.type !== 'text') return chunk;
      return { ...chunk, text: chunk.text.replaceAll(/API_KEY=\S+/g, 'API_KEY=[REDACTED]') };
    });

    return { content: redacted };
  });
}

export function contextFilter(pi: HookAPI): void {
  pi.on('context', async (event) => {
    const filtered = event.messages.filter(
      (msg) => !(msg.role === 'custom' && msg.customType === 'debug-only'),
    );
    return { messages: filtered };
  });
}

export function handoff(pi: HookAPI): void {
  pi.registerCommand('handoff', {
    description: 'Create a new session with setup message',
    handler: async (_args, ctx) => {
      await ctx.waitForIdle();
      await ctx.newSession({
        parentSession: ctx.sessionManager.getSessionFile(),
        setup: async (sm) => {
          sm.appendMessage({
            role: 'user',
            content: [{ type: 'text', text: 'Continue from prior session summary.' }],
            timestamp: Date.now(),
          });
        },
      });
    },
  });
}
