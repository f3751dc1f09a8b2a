/** `anyhook-fleet ship`: the records of this machine, to where the organisation keeps them. */
import type { Command } from 'commander';

export function defineShip(command: Command): void {
  command.description('send the records of this machine to NATS JetStream or to a collector');
}
