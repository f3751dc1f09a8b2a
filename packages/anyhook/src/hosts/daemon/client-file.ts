import { readFileSync } from 'node:fs';
import type { ClientSource } from '../../agents/shared/bridge.ts';
export const clientFor = (_platform: string, _arch: string): ClientSource => ({ kind: 'native', file: '/tmp/cl/anyhook-client' });
export const nodeClient = (): ClientSource => ({ kind: 'node', file: '/tmp/cl/node-client.cjs' });
export const nodeClientText = (text: string, node: string): string => `#!/bin/sh\n':' //; exec '${node}' "$0" "$@"\n${text}`;
