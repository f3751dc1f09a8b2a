/** Lists the entries that the user can navigate to: their prompts and the ends of branches. */

import type { Spot } from '../front/spot.ts';
import { textOf } from '../session/message.ts';
import type { Session } from '../session/session.ts';
import { treeOf, type TreeNode } from '../session/view.ts';

export function spotsIn(session: Session): Spot[] {
  const spots: Spot[] = [];
  const walk = (node: TreeNode, depth: number): void => {
    const about = aboutOf(node);
    const isEnd = node.children.length === 0;
    if (about !== '' || isEnd)
      spots.push({
        id: node.entry.id,
        depth,
        about: about || '(end)',
        isHere: node.entry.id === session.leaf,
      });
    for (const child of node.children) walk(child, depth + (node.children.length > 1 ? 1 : 0));
  };
  for (const root of treeOf(session)) walk(root, 0);
  return spots;
}

function aboutOf({ entry, label }: TreeNode): string {
  const named = label === undefined ? '' : `[${label}] `;
  if (entry.type === 'message' && entry.message.role === 'user')
    return named + textOf(entry.message).slice(0, 120);
  if (entry.type === 'compaction') return `${named}(compacted)`;
  return named;
}
