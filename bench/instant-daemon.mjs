// Stands in the daemon's place and answers every event at once: the least that the client's way can take, whoever answers.

import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { daemonPlaceIn, encodeFrame, FrameReader } from '../packages/anyhook/dist/internals.js';

const { folder, socket } = daemonPlaceIn(process.argv[2]);
process.umask(0o077);
mkdirSync(folder, { recursive: true });
createServer((client) => {
  const reader = new FrameReader();
  client
    .on('error', () => {})
    .on('data', (chunk) => {
      for (const { kind } of reader.push(chunk))
        client.write(
          encodeFrame(
            kind === 'hello' ? { kind: 'ready' } : { kind: 'answer', code: 0, stdout: '', stderr: '' },
          ),
        );
    });
}).listen(socket, () => process.send('listening'));
