/** The entry point of a session's process. */
import { serveSession } from './session-events.ts';

serveSession();
