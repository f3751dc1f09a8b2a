/** The session that the demo plays: what an agent would fire, and what a person should look at. */
import type { EventName, Moment } from 'anyhook';

export interface Scene {
  readonly title: string;
  readonly moment: Moment;
}

const at = <E extends EventName>(title: string, name: E, payload: Moment<E>['payload']): Scene => ({
  title,
  moment: { name, payload, ids: { session: 'demo' } } as Moment,
});
const shell = (title: string, command: string) =>
  at(title, 'tool.before', { tool: 'shell', input: { command } });

export const STORY: readonly Scene[] = [
  at('The session starts', 'session.start', { source: 'startup' }),
  shell('The agent wants to run: ls', 'ls'),
  shell('The agent wants to run: rm -rf /', 'rm -rf /'),
  shell('The agent hides it: true && bash -c "rm -rf build"', 'true && bash -c "rm -rf build"'),
  shell('The agent wants to run: git push --force', 'git push --force'),
  shell('The agent wants to run: npm publish', 'npm publish'),
  at('A tool returned something secret', 'tool.after', {
    tool: 'shell',
    input: { command: 'cat .env' },
    content: [{ type: 'text', text: 'OPENAI_API_KEY=sk-demo-1234567890' }],
  }),
  at('The agent wants to stop', 'turn.stop', { active: false }),
  at('The agent wants to stop again', 'turn.stop', { active: false }),
  at('The session ends', 'session.end', {}),
];
