/** A read-only view of the session for hook modules, with every query of a `ReadonlySessionManager`. */

import { dirname } from 'node:path';
import type { Entry } from './entry.ts';
import type { Session } from './session.ts';

export interface TreeNode {
  readonly entry: Entry;
  readonly children: TreeNode[];
  readonly label?: string;
}

export const sessionView = (session: () => Session) => ({
  getCwd: () => session().header.cwd,
  getSessionDir: () => dirname(session().file),
  getSessionId: () => session().id,
  getSessionFile: () => session().file,
  getLeafId: () => session().leaf,
  getLeafEntry: () => session().entry(session().leaf ?? ''),
  getEntry: (id: string) => session().entry(id),
  getLabel: (id: string) => labelOf(session(), id),
  getBranch: (from?: string) => session().branch(from ?? session().leaf),
  getHeader: () => session().header,
  getEntries: () => [...session().entries],
  getTree: () => treeOf(session()),
  getUsageStatistics: () => usageOf(session()),
});

export function treeOf(session: Session): TreeNode[] {
  const roots: TreeNode[] = [];
  const nodes = new Map<string, TreeNode>();
  for (const entry of session.entries) {
    const label = labelOf(session, entry.id);
    const node: TreeNode = { entry, children: [], ...(label !== undefined && { label }) };
    nodes.set(entry.id, node);
    (nodes.get(entry.parentId ?? '')?.children ?? roots).push(node);
  }
  return roots;
}

function labelOf(session: Session, id: string): string | undefined {
  const named = session.entries.findLast((entry) => entry.type === 'label' && entry.target === id);
  return named?.type === 'label' ? named.label : undefined;
}

function usageOf(session: Session): Record<string, number> {
  const total = { input: 0, output: 0, messages: 0 };
  for (const entry of session.entries) {
    if (entry.type !== 'message' || entry.message.role !== 'assistant') continue;
    total.input += entry.message.usage?.input ?? 0;
    total.output += entry.message.usage?.output ?? 0;
    total.messages++;
  }
  return total;
}
