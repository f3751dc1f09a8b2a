/** Events of the canon that this agent never fires, each with its reason. The coverage test reads it, `--help` may print it. */
import type { EventName } from 'anyhook';

export const NOT_FIRED: { readonly [E in EventName]?: string } = {};
