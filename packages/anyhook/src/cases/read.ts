import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { isNode, LineCounter, parseDocument } from 'yaml';
import { loadModule } from '../runners/module/load-module.mjs';
import { checkSuite, type CheckedSuite } from './check.ts';

/** Reads cases from YAML, or from a module that exports them as `default`. */
export const readCases = (file: string): Promise<CheckedSuite> | CheckedSuite =>
  /^\.ya?ml$/.test(extname(file)) ? readYaml(file, readFileSync(file, 'utf8')) : readModule(file);

export function readYaml(file: string, text: string): CheckedSuite {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true });
  const faults = document.errors.map((error) => ({
    file,
    line: lines.linePos(error.pos[0]).line,
    key: '',
    message: error.message.split('\n')[0]!,
  }));
  if (faults.length > 0) return { faults };
  const lineOf = (path: readonly (string | number)[]): number => {
    for (let depth = path.length; depth >= 0; depth--) {
      const node: unknown = depth === 0 ? document.contents : document.getIn(path.slice(0, depth), true);
      if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
    }
    return 1;
  };
  return checkSuite(document.toJS({ maxAliasCount: 100 }), { file, lineOf });
}

async function readModule(file: string): Promise<CheckedSuite> {
  const loaded = await loadModule(file);
  if (!loaded.ok)
    return { faults: [{ file, line: loaded.problem.line ?? 1, key: '', message: loaded.problem.message }] };
  const exports = loaded.exports as { default?: unknown };
  return checkSuite(exports.default ?? exports, { file, lineOf: () => 1 });
}
