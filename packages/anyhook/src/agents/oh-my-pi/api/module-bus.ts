/** Modules in one process may tell each other things; what one of them throws is its own. */
import { EventEmitter } from 'node:events';
import { describeThrown } from '../../../runners/module/thrown.mjs';

type Listener = (data: unknown) => unknown;
const emitter = new EventEmitter({ captureRejections: false }).setMaxListeners(0);

export const moduleBus = Object.freeze({
  emit: (channel: string, data: unknown): void => void emitter.emit(`on ${channel}`, data),
  /** What it returns takes the listener away again. */
  on(channel: string, listener: Listener): () => void {
    const heard = async (data: unknown) => {
      try {
        await listener(data);
      } catch (error) {
        process.emitWarning(`a listener to ${channel} failed: ${describeThrown(error).message}`);
      }
    };
    emitter.on(`on ${channel}`, heard);
    return () => void emitter.off(`on ${channel}`, heard);
  },
});
