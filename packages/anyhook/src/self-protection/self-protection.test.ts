import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EVERYTHING } from '../events/capabilities.ts';
import { createHooks, type Hooks, type Options } from '../index.ts';
import { SELF_PROTECTION } from './index.ts';

let root: string;
let hooks: Hooks;
const at = (path: string) => join(root, path);
const put = (path: string, text: string) => {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text, { mode: 0o755 });
};
const options = (more: Partial<Options> = {}): Options => ({
  host: { name: 'test', can: EVERYTHING },
  home: at('home'),
  cwd: at('project'),
  ...more,
});

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'anyhook-self-'));
  put('home/.config/anyhook/hooks.json', '{ "hooks": { "session.end": [{ "run": "~/guards/audit.sh" }] } }');
  put('home/.local/share/anyhook/trust/x.json', '{}');
  put('home/guards/audit.sh', 'true\n');
  put('home/notes.txt', 'hello\n');
  put('project/.anyhook/hooks.json', '{ "hooks": {} }');
  put('project/.opta/config.json', '{ "hooks": [] }');
  put('project/.opta/hooks/block-rm.sh', 'exit 1\n');
  put('project/src/main.ts', 'export {};\n');
  put('project/package.json', '{}');
  symlinkSync('.anyhook', at('project/alias'));
  symlinkSync('.anyhook/hooks.json', at('project/innocent.json'));
  symlinkSync('.anyhook/not-there-yet.json', at('project/dangling.json'));
  symlinkSync('..', at('project/src/up'));
  symlinkSync('loop-b', at('project/loop-a'));
  symlinkSync('loop-a', at('project/loop-b'));
  linkSync(at('project/.anyhook/hooks.json'), at('project/hard.json'));
  linkSync(at('home/.local/share/anyhook/trust/x.json'), at('project/hard-trust.json'));
  linkSync(at('home/notes.txt'), at('project/hard-notes.txt'));
  hooks = await createHooks(options());
});
afterAll(async () => {
  await hooks.close();
  rmSync(root, { recursive: true, force: true });
});

const fire = (tool: string, input: Record<string, unknown>, session = 's') =>
  hooks.fire({ name: 'tool.before', payload: { tool, input }, ids: { session } });
const write = (path: string) => ['write', { path, content: 'x' }] as const;
const shell = (command: string) => ['shell', { command }] as const;

/** What an agent may try, in words a person would use for it. `$R` is the folder of it all. */
const ATTEMPTS: Record<string, readonly (readonly [string, Record<string, unknown>])[]> = {
  'a file tool, by name': [
    write('.anyhook/hooks.json'),
    write('$R/project/.anyhook/hooks.json'),
    write('./src/../.anyhook/hooks.json'),
    write('.anyhook/hooks/new.ts'),
    write('.opta/config.json'),
    write('.opta/hooks/block-rm.sh'),
    write('$R/home/.config/anyhook/hooks.json'),
    write('$R/home/.local/share/anyhook/trust/aa.json'),
    write('$R/home/.local/share/anyhook/heads/s.json'),
    write('$R/home/.config/opta/config.json'),
    write('$R/home/.local/state/anyhook/journal/s.jsonl'),
    write('$R/home/.local/state/anyhook/staged/x/guard.sh'),
    write('$R/home/guards/audit.sh'),
    ['edit', { path: '.anyhook/hooks.json', old: 'a', new: 'b' }],
    ['multi-edit', { path: '.anyhook/hooks.json', edits: [] }],
    ['multi-edit', { path: 'src/main.ts', edits: [{ file_path: '.anyhook/hooks.json', old: '', new: '' }] }],
    ['run_command', { command: 'rm .anyhook/hooks.json' }],
    ['edit_file', { path: '.anyhook/hooks.json' }],
  ],
  'another name for it': [
    write('innocent.json'),
    write('alias/hooks.json'),
    write('dangling.json'),
    write('src/up/.anyhook/hooks.json'),
    write('hard.json'),
    write('hard-trust.json'),
    write('.ANYHOOK/Hooks.JSON'),
    write('.anyhook/hooks.json.'),
    write('.anyhook/hooks.json::$DATA'),
    write('.anyho\u200bok/hooks.json'),
    write('．ａｎｙｈｏｏｋ/hooks.json'),
    write('/proc/self/cwd/.anyhook/hooks.json'),
    write('loop-a/x'),
    write('.anyhook/\0hooks.json'),
  ],
  'a tool nobody knows': [
    ['mcp__fs__write_file', { path: '.anyhook/hooks.json', content: 'x' }],
    ['mcp__fs__move_file', { source: 'x', destination: '.anyhook/hooks.json' }],
    ['delete', { target: '$R/home/.local/share/anyhook/trust/x.json' }],
    ['apply_patch', { input: '*** Begin Patch\n*** Update File: .anyhook/hooks.json\n@@\n-a\n+b\n' }],
    ['apply_diff', { diff: '--- a/.opta/config.json\n+++ b/.opta/config.json\n@@ -1 +1 @@\n' }],
    ['mcp__box__shell', { command: 'rm -f .anyhook/hooks.json' }],
    ['mcp__fs__save', { uri: 'file://$R/project/.anyhook/hooks.json' }],
    ['exec', { cmd: ['bash', '-lc', 'rm .anyhook/hooks.json'] }],
  ],
  'a shell command': [
    shell('rm .anyhook/hooks.json'),
    shell('rm -rf .anyhook'),
    shell('rm -rf ./.anyhook/'),
    shell('rm -rf .any*'),
    shell('rm -rf .[a-z]*'),
    shell('shopt -s dotglob; rm -rf *'),
    shell('rm -rf .'),
    shell('rm -rf "$PWD"'),
    shell('rm -rf ~/.config'),
    shell('mv $R/project $R/elsewhere'),
    shell('mv .anyhook .off'),
    shell('mv /tmp/evil.json .anyhook/hooks.json'),
    shell('cp /tmp/evil.json .anyhook/hooks.json'),
    shell('cp /tmp/evil.json ~/.config/anyhook/hooks.json'),
    shell('cp -t .anyhook /tmp/hooks.json'),
    shell('ln -sf /tmp/evil.json .anyhook/hooks.json'),
    shell('ln .anyhook/hooks.json /tmp/hard'),
    shell('chmod 000 .anyhook/hooks.json'),
    shell('chmod -R a-w .'),
    shell('chattr +i .opta/config.json'),
    shell('truncate -s0 .anyhook/hooks.json'),
    shell('touch .anyhook/hooks.json'),
    shell('sed -i s/deny/allow/ .anyhook/hooks.json'),
    shell("sed 'w .anyhook/hooks.json' package.json && tee .anyhook/hooks.json"),
    shell('echo {} > .anyhook/hooks.json'),
    shell('echo {} >> .anyhook/hooks.json'),
    shell(': > .anyhook/"hooks".json'),
    shell('cat <<E > .anyhook/hooks.json\n{}\nE'),
    shell('echo {} | tee .anyhook/hooks.json'),
    shell('dd if=/dev/null of=.anyhook/hooks.json'),
    shell('curl -o .anyhook/hooks.json http://x'),
    shell('curl -o.anyhook/hooks.json http://x'),
    shell('sort -o .anyhook/hooks.json package.json'),
    shell('git checkout HEAD~1 -- .anyhook/hooks.json'),
    shell('git -C .anyhook checkout .'),
    shell('git rm -r .opta'),
    shell('git diff --output=.anyhook/hooks.json'),
    shell('cd .anyhook && rm hooks.json'),
    shell('cd .anyhook; echo {} > hooks.json'),
    shell('cd src/up/.anyhook && rm *'),
    shell('cd ~/.config && rm -rf anyhook'),
    shell('cd "$SOMEWHERE" && rm hooks.json'),
    shell('pushd ~ && rm -r .local/share/anyhook/trust'),
    shell('rm /proc/self/cwd/.anyhook/hooks.json'),
    shell('rm /proc/$$/cwd/.anyhook/hooks.json'),
    shell('rm alias/hooks.json'),
    shell('rm innocent.json'),
    shell('echo {} > innocent.json'),
    shell('echo {} > hard.json'),
    shell('cp package.json dangling.json'),
    shell('rm .ANYHOOK/hooks.json'),
    shell('d=.anyhook; rm -rf $d'),
    shell('rm -rf .any$X'),
    shell('rm "$D"/.anyhook/hooks.json'),
    shell('rm ${HOME}/.config/anyhook/hooks.json'),
    shell('bash -c "rm .anyhook/hooks.json"'),
    shell('sudo env X=1 timeout 5 rm .anyhook/hooks.json'),
    shell('find .anyhook -type f -delete'),
    shell('find .anyhook -exec rm {} +'),
    shell('find . -delete'),
    shell('ls .anyhook/* | xargs rm'),
    shell('echo .anyhook/hooks.json | while read f; do rm "$f"; done'),
    shell(`python3 -c "open('.anyhook/hooks.json','w')"`),
    shell(`python3 - <<'E'\nopen('.anyhook/hooks.json','w')\nE`),
    shell(`node -e "fs.rmSync('.opta',{recursive:true})"`),
    shell('eval "rm .anyhook/hooks.json"'),
    shell('rm .anyhook/hooks.json ; if then'),
    shell('awk \'{print > ".anyhook/hooks.json"}\' x'),
    shell('rm .a\\nyhook/hooks.json'),
    shell("rm $'.anyhook/hooks.json'"),
    shell('rsync -a /tmp/evil/ .anyhook/'),
    shell('tar xf /tmp/evil.tar -C .anyhook'),
    shell('install -m 644 /tmp/evil .opta/config.json'),
    shell('patch .anyhook/hooks.json < x.patch'),
    shell('vim .anyhook/hooks.json'),
    shell('rm $R/home/guards/audit.sh'),
    shell('anyhook trust add sha256:00'),
    shell('npx anyhook trust revoke sha256:00'),
    shell('anyhook pause 1h'),
    shell('anyhook suggest --write'),
    shell('npx anyhook suggest --min 1 --write --json'),
    shell('eval "$(echo anyhook suggest --min 1 --write)"'),
    shell('anyhook-fleet approvals approve 38e689fe --as mia --key mia.key'),
    shell('npx @anyhook/fleet@0.2.0 approvals --as mia --key mia.key'),
    shell("bash -c 'anyhook-fleet approvals key k'"),
    shell('eval "anyhook-fleet approvals refuse 38e689fe" ; if then'),
    ['shell', { command: 'rm hooks.json', cwd: '.anyhook' }],
  ],
};
const BENIGN: Record<string, readonly (readonly [string, Record<string, unknown>])[]> = {
  'reading is free': [
    ['read', { path: '.anyhook/hooks.json' }],
    ['grep', { pattern: 'deny', path: '.anyhook' }],
    ['glob', { pattern: '.anyhook/**' }],
    ['mcp__fs__read_file', { path: '.anyhook/hooks.json' }],
    shell('cat .anyhook/hooks.json'),
    shell('ls -la .anyhook ~/.config/anyhook'),
    shell('grep -r deny .opta | head -5'),
    shell('sed -n 1,20p .anyhook/hooks.json'),
    shell('diff .anyhook/hooks.json package.json'),
    shell('find .anyhook -name "*.json"'),
    shell('sudo cat .anyhook/hooks.json | wc -l'),
    shell('ls .anyhook | xargs -n1 basename'),
    shell('git diff .anyhook && git add .anyhook && git commit -m "hooks in .anyhook/hooks.json"'),
    shell('test -f .anyhook/hooks.json && echo yes > /tmp/answer'),
    shell('jq . < .anyhook/hooks.json'),
    shell('anyhook list'),
    shell('anyhook-fleet approvals list --json'),
    shell('anyhook-fleet log --since 1h'),
    shell('anyhook why tool.before --tool shell'),
  ],
  'other work goes on': [
    write('src/main.ts'),
    write('README.md'),
    write('docs/anyhook.md'),
    write('hard-notes.txt'),
    write('src/up/package.json'),
    ['edit', { path: 'src/main.ts', old: '.anyhook/hooks.json', new: '.opta/config.json' }],
    ['task', { prompt: 'look at .anyhook/hooks.json' }],
    ['mcp__chat__post', { text: 'please look at .anyhook/hooks.json' }],
    shell('npm test'),
    shell('npm --prefix . run build'),
    shell('rm -rf dist node_modules/*'),
    shell('mv a.txt .'),
    shell('cp package.json ~/'),
    shell('git add . && git commit -m x && git push'),
    shell('find . -name "*.log" -delete'),
    shell('chmod +x src/main.ts'),
    shell('python3 -c "print(1)"'),
    shell('for f in src/*.ts; do node "$f"; done'),
    shell('cd src && rm -f main.js'),
    shell('node -e "require(\'anyhook\')"'),
    shell('echo "$HOME" > out.txt'),
  ],
};

const filled = (input: Record<string, unknown>) =>
  JSON.parse(JSON.stringify(input).replaceAll('$R', JSON.stringify(root).slice(1, -1))) as Record<
    string,
    unknown
  >;
const label = (tool: string, input: Record<string, unknown>) => `${tool} ${JSON.stringify(input)}`;

describe('an agent that wants to change its own hooks', () => {
  for (const [kind, attempts] of Object.entries(ATTEMPTS))
    test(`is refused: ${kind}`, async () => {
      const passed: string[] = [];
      for (const [tool, input] of attempts) {
        const outcome = await fire(tool, filled(input));
        const isOurs =
          outcome.verdict === 'deny' && outcome.reasons.every(({ by }) => by === SELF_PROTECTION);
        if (!isOurs || outcome.reasons.some(({ broken }) => broken)) passed.push(label(tool, input));
      }
      expect(passed).toEqual([]);
    });

  for (const [kind, calls] of Object.entries(BENIGN))
    test(`is not refused: ${kind}`, async () => {
      const refused: string[] = [];
      for (const [tool, input] of calls) {
        const outcome = await fire(tool, filled(input));
        if (outcome.verdict !== 'none') refused.push(`${label(tool, input)}: ${outcome.reasons[0]?.text}`);
      }
      expect(refused).toEqual([]);
    });

  test('leaves a journal record of every attempt', async () => {
    const all = Object.values(ATTEMPTS).flat();
    for (const [tool, input] of all) await fire(tool, filled(input), 'audit');
    const folder = at('home/.local/state/anyhook/journal');
    const records = readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .flatMap((text) => text.split('\n').filter((line) => line.includes('"audit"')));
    expect(all.length).toBeGreaterThan(100);
    expect(records.filter((line) => line.includes('"deny"'))).toHaveLength(all.length);
  });

  test('succeeds if the program switches self-protection off, so no other guard refuses', async () => {
    const open = await createHooks(options({ trust: { selfProtection: false } }));
    const [tool, input] = shell('rm -rf .anyhook');
    expect((await open.fire({ name: 'tool.before', payload: { tool, input } })).verdict).toBe('none');
    expect(open.hooks.map(({ id }) => id)).not.toContain(SELF_PROTECTION);
    await open.close();
  });

  test('meets the guard only if there is something to guard', async () => {
    const ids = async (more: Partial<Options>) => {
      const some = await createHooks(options({ settings: false, ...more }));
      await some.close();
      return some.hooks.map(({ id }) => id).filter((id) => id === SELF_PROTECTION);
    };
    const callbacks = { 'tool.before': () => undefined };
    expect(await ids({})).toEqual([]);
    expect(await ids({ hooks: callbacks, journal: false })).toEqual([]);
    expect(await ids({ hooks: callbacks })).toEqual([SELF_PROTECTION]);
    expect(await ids({ hooks: callbacks, settings: { dialects: ['opta'] } })).toEqual([SELF_PROTECTION]);
  });
});

test('`git clean` asks if the same command creates the repository, and passes if nothing is guarded there', async () => {
  mkdirSync(at('plain'), { recursive: true });
  const plain = await createHooks(options({ cwd: at('plain') }));
  const verdictOf = async (command: string) =>
    (await plain.fire({ name: 'tool.before', payload: { tool: 'shell', input: { command } } })).verdict;
  expect([
    await verdictOf('git -C ~ init -q; git -C ~ clean -fdx'),
    await verdictOf('cd ~ && git init && git clean -ffdx'),
    await verdictOf('git init -q && git clean -fdx'),
    await verdictOf('git -C /nowhere init -q; git -C /nowhere clean -fdx'),
  ]).toEqual(['ask', 'ask', 'none', 'none']);
  await plain.close();
});
