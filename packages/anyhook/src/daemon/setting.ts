import type { Locations } from '../events/dialect.ts';
import { isSwitchedOff } from '../gather/own-setting.ts';

/** Does the user's own `hooks.json` contain `"daemon": "off"`? */
export const isDaemonOff = (locations: Locations): boolean => isSwitchedOff('daemon', locations);
