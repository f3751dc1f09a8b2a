import { edit } from './edit.ts';
import { fetchTool } from './fetch.ts';
import { glob } from './glob.ts';
import { grep } from './grep.ts';
import { multiEdit } from './multi-edit.ts';
import { read } from './read.ts';
import { shell } from './shell.ts';
import { task } from './task.ts';
import { todo } from './todo.ts';
import type { AgentTool } from './tool.ts';
import { write } from './write.ts';

/** The agent's own tools, under the canon's names. */
export const ownTools = (): AgentTool[] => [
  read,
  write,
  edit,
  multiEdit,
  shell,
  glob,
  grep,
  fetchTool,
  task,
  todo,
];
