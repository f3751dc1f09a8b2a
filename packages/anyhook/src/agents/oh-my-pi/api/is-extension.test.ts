import { afterAll, describe, expect, test } from 'vitest';
import { scratch } from './fixtures/scratch.ts';
import { loadHooks } from './load.ts';

const ground = scratch();
afterAll(ground.remove);
let count = 0;

async function isOne(place: string, text: string): Promise<boolean> {
  const file = ground.write(`${++count}/${place}`, text);
  const { hooks } = await loadHooks([file], ground.root);
  return hooks[0]?.isExtension === true;
}
const PLAIN = `export default (pi) => { pi.on('tool_call', () => {}); };`;

describe('an extension module', () => {
  test.each([
    ['by its folder, the agent’s own', '.omp/extensions/a.mjs', PLAIN],
    ['by its folder, of pi', '.pi/agent/extensions/a/index.mjs', PLAIN],
    [
      'by the type it imports',
      'hooks/a.ts',
      `import type { ExtensionAPI } from '@oh-my-pi/pi-coding-agent';\nexport default (pi: ExtensionAPI) => { pi.on('tool_call', () => {}); };`,
    ],
    [
      'by one type among several, of pi',
      'a.ts',
      `import {\n  type Other,\n  type ExtensionAPI as API,\n} from "@mariozechner/pi-coding-agent";\nexport default (pi: API) => { pi.on('tool_call', () => {}); };`,
    ],
    [
      'by a type it names where it uses it',
      'a.ts',
      `export default (pi: import('@oh-my-pi/pi-coding-agent').ExtensionAPI) => { pi.on('tool_call', () => {}); };`,
    ],
    ['by what it registers', 'a.mjs', `export default (pi) => { pi.registerTool({}); };`],
    ['by what it listens to', 'a.mjs', `export default (pi) => { pi.on('message_end', () => {}); };`],
  ])('an extension module is recognised %s', async (_how, place, text) => {
    expect(await isOne(place, text)).toBe(true);
  });

  test('an extension module is recognised by the manifest of its package, under either name', async () => {
    ground.write(
      'packed/package.json',
      JSON.stringify({ omp: { extensions: ['./src/one.mjs'] }, pi: { extensions: ['./two'] } }),
    );
    const files = ['src/one.mjs', 'two/index.mjs', 'src/three.mjs'].map((name) =>
      ground.write(`packed/${name}`, PLAIN),
    );
    const { hooks } = await loadHooks(files, ground.root);
    expect(hooks.map(({ isExtension = false }) => isExtension)).toEqual([true, true, false]);
  });
});

describe('a hook module', () => {
  test.each([
    [
      'that only talks about extensions',
      'a.mjs',
      `// not written against ExtensionAPI\n/* import type { ExtensionAPI } from '@oh-my-pi/pi-coding-agent' */\n${PLAIN}`,
    ],
    [
      'that has the word in a text',
      'a.mjs',
      `const note = "import { ExtensionAPI } from '@oh-my-pi/pi-coding-agent'"; const more = \`\nimport type { ExtensionAPI } from '@oh-my-pi/pi-coding-agent'\n\`;\n${PLAIN}`,
    ],
    ['that has a class of that name', 'a.mjs', `class ExtensionAPI {}\n${PLAIN}`],
    [
      'that imports the name from elsewhere',
      'a.ts',
      `import type { ExtensionAPI } from './other.ts';\n${PLAIN}`,
    ],
    ['in a folder that is not the agent’s', 'extensions/a.mjs', PLAIN],
    [
      'that says so, whatever its folder',
      '.omp/extensions/a.ts',
      `import type { HookAPI } from '@oh-my-pi/pi-coding-agent/hooks';\nexport default (pi: HookAPI) => { pi.on('tool_call', () => {}); };`,
    ],
    [
      'that uses what hooks have',
      'a.mjs',
      `export default (pi) => { pi.registerCommand('x', { handler() {} }); pi.on('session_start', () => {}); };`,
    ],
  ])('a hook module with %s is not an extension', async (_how, place, text) => {
    expect(await isOne(place, text)).toBe(false);
  });
});
