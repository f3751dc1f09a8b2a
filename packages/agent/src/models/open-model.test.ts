import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NoModel } from './no-model.ts';
import { openModel } from './open-model.ts';

const terms = { env: {}, cwd: tmpdir() };
const said = async (spec: string, env: Record<string, string> = {}) => {
  const error: unknown = await openModel(spec, { ...terms, env }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(NoModel);
  return (error as Error).message;
};

test.each([
  ['anthropic:claude-x', 'ANTHROPIC_API_KEY'],
  ['openai:gpt-x', 'OPENAI_API_KEY'],
  ['openai-chat:gpt-x', 'OPENAI_API_KEY'],
])('the model %s without a key produces an error that names the variable %s', async (spec, variable) => {
  expect(await said(spec)).toContain(`set ${variable}.`);
});

test.each([
  ['claude-sonnet-4', "Did you mean 'anthropic:claude-sonnet-4'?"],
  ['anthropic/claude-sonnet-4', "Did you mean 'anthropic:claude-sonnet-4'?"],
  ['antropic:claude-x', "Did you mean 'anthropic:claude-x'?"],
  ['gpt-5', "Did you mean 'openai:gpt-5'?"],
  ['openai:', "Did you mean 'openai:<model>'?"],
  ['http://127.0.0.1:1/v1', "Did you mean 'openai-compatible:http://127.0.0.1:1/v1#<model>'?"],
  ['play.yaml', "Did you mean 'scripted:play.yaml'?"],
  ['', 'A model is one of anthropic:<model>, openai:<model>, '],
  ['openai-compatible:http://127.0.0.1:1/v1', 'openai-compatible:<url>#<model>, as '],
  ['openai-compatible:ftp://x#y', 'openai-compatible:<url>#<model>, as '],
])('the invalid model name %j produces an error with the correct form', async (spec, hint) => {
  expect(await said(spec)).toContain(hint);
});

test('a missing script produces an error with the path that was tried', async () => {
  expect(await said('scripted:no-such.yaml')).toBe(
    `scripted:no-such.yaml: there is no such file (looked at ${join(tmpdir(), 'no-such.yaml')}).`,
  );
});

test('the context size comes from the environment, the script or the built-in table', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'model-'));
  try {
    await writeFile(join(cwd, 'a.yaml'), 'contextTokens: 900\nmodel: small\ntracks: { main: [] }');
    const opened = async (spec: string, env: Record<string, string>) => {
      const { id, provider, contextTokens } = await openModel(spec, { env, cwd });
      return { id, provider, contextTokens };
    };
    expect(await opened('scripted:a.yaml', {})).toEqual({
      id: 'small',
      provider: 'scripted',
      contextTokens: 900,
    });
    const env = { ANTHROPIC_API_KEY: 'sk' };
    expect(await opened('anthropic:claude-x', env)).toEqual({
      id: 'claude-x',
      provider: 'anthropic',
      contextTokens: 200_000,
    });
    const said = await opened('openai-compatible:http://127.0.0.1:1/v1#phi', { ANYHOOK_CONTEXT_TOKENS: '7' });
    expect(said.contextTokens).toBe(7);
  } finally {
    await rm(cwd, { recursive: true });
  }
  expect(
    await said('anthropic:claude-x', { ANTHROPIC_API_KEY: 'k', ANYHOOK_CONTEXT_TOKENS: 'many' }),
  ).toContain("ANYHOOK_CONTEXT_TOKENS is 'many'");
});
