// Stands where the engine does, and answers every event at once, without looking at anything: the least that the launcher's line
// can take, whoever answers it.
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { answerText, enginePlaces, TAKEN } from '../packages/anyhook/dist/internals.js';

const places = enginePlaces(process.argv[2]);
const answer = `${TAKEN}${answerText({ code: 0, stdout: '', stderr: '' })}`;
process.umask(0o077);
mkdirSync(places.spool, { recursive: true });
createServer({ allowHalfOpen: true }, (socket) =>
  socket
    .on('error', () => {})
    .on('end', () => socket.end(answer))
    .resume(),
).listen(places.socket, () => process.send('listening'));
