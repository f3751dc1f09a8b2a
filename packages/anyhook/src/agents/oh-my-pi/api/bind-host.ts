import { type Services, ServiceMissing } from '../../../events/services.ts';
import type { HookLogger, LoadedHook } from './types/index.ts';

/** Connects a module's `sendMessage`, `appendEntry`, `exec` and `logger` to the host. */
export function bindHost(hook: LoadedHook, services: Services, cwd: string): void {
  hook.setSendMessageHandler((message, { triggerTurn, deliverAs } = {}) => {
    const { messages } = services; // read on each call, because a host may offer it later
    if (messages === undefined) throw new ServiceMissing('messages', 'pi.sendMessage');
    messages.send(
      { ...message },
      {
        ...(triggerTurn !== undefined && { trigger: triggerTurn }),
        ...(deliverAs !== undefined && { as: deliverAs }),
      },
    );
  });
  hook.setAppendEntryHandler((customType, data) => {
    const { messages } = services;
    if (messages?.append === undefined) throw new ServiceMissing('messages', 'pi.appendEntry');
    messages.append(customType, data);
  });
  hook.setHost?.({ cwd, logger: loggerOf(services), services });
}

function loggerOf(services: Services): HookLogger {
  return {
    debug: (message, details) => services.log?.('debug', message, details),
    info: (message, details) => services.log?.('info', message, details),
    warn: (message, details) => services.log?.('warn', message, details),
    error: (message, details) => services.log?.('error', message, details),
  };
}
