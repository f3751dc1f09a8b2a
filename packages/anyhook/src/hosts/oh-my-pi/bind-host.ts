import { type Services, ServiceMissing } from '../../canon/services.ts';
import type { HookLogger, LoadedHook } from './types/index.ts';

/** Lets a module's `sendMessage`, `appendEntry`, `exec` and `logger` reach the host. */
export function bindHost(hook: LoadedHook, services: Services, cwd: string): void {
  const { messages } = services;
  hook.setSendMessageHandler((message, { triggerTurn, deliverAs } = {}) => {
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
    if (messages?.append === undefined) throw new ServiceMissing('messages', 'pi.appendEntry');
    messages.append(customType, data);
  });
  hook.setHost?.({ cwd, logger: loggerOf(services), services });
}

function loggerOf({ log }: Services): HookLogger {
  return {
    debug: (message, details) => log?.('debug', message, details),
    info: (message, details) => log?.('info', message, details),
    warn: (message, details) => log?.('warn', message, details),
    error: (message, details) => log?.('error', message, details),
  };
}
