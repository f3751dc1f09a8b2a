import { AGENT_NAMES, type AgentName, isAgentName } from '../../agents/index.ts';
import { nearest } from '../../canon/problems.ts';
import { UsageError } from './usage.ts';

export function agentNamed(command: string, name: string): AgentName {
  if (isAgentName(name)) return name;
  const near = nearest(name, AGENT_NAMES);
  throw new UsageError(
    `${command}: no agent is called ${JSON.stringify(name)}; ${near === undefined ? `known are ${AGENT_NAMES.join(', ')}` : `did you mean ${near}?`}`,
  );
}
