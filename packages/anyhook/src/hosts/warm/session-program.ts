/**
 * The process of a session begins here: until it is open, its agent's events go the cold way. So what it needs of us is loaded as
 * V8 compiled it for the one before.
 */
import { loadLibraryKept } from '../kept/library.ts';

loadLibraryKept();
void import('./session-events.ts').then(({ serveSession }) => serveSession());
