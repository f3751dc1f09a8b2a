import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { textOfFile } from '../settings/read-file.ts';
import type { Folders } from '../gather/folders.ts';

/** Settings in which `install --mcp` put the proxy around servers: whoever writes there can take it away. */
export function wrappedSettings({ data }: Pick<Folders, 'data'>): readonly string[] {
  const records = join(data, 'installs');
  try {
    return readdirSync(records)
      .filter((name) => /-mcp-[0-9a-f]+\.json$/.test(name))
      .flatMap((name) => pathsIn(join(records, name)));
  } catch {
    return []; // nothing was installed
  }
}

function pathsIn(record: string): readonly string[] {
  try {
    const { files } = JSON.parse(textOfFile(record) ?? '') as { files: readonly { path: string }[] };
    return files.map(({ path }) => path);
  } catch {
    return []; // no record of ours
  }
}
