import type { Auth, Provider } from '@opencode-ai/sdk';
import type { Model as ModelV2, Provider as ProviderV2 } from '@opencode-ai/sdk/v2';
import type { Loose } from './loose.ts';

/** How a user logs in to a provider, and what the provider needs afterwards. */
export interface AuthHook {
  provider: string;
  /** Converts stored credentials to provider options. `fetch` among them handles the model's requests. */
  loader?(auth: () => Promise<Auth>, provider: Provider): Promise<Record<string, Loose>>;
  methods: AuthMethod[];
}

export type AuthMethod = OAuthMethod | ApiMethod;

export interface OAuthMethod {
  type: 'oauth';
  label: string;
  prompts?: AuthPrompt[] | undefined;
  authorize(inputs?: Record<string, string>): Promise<AuthOAuthResult>;
}

export interface ApiMethod {
  type: 'api';
  label: string;
  prompts?: AuthPrompt[] | undefined;
  authorize?(inputs?: Record<string, string>): Promise<ApiResult>;
}

export type ApiResult =
  | {
      type: 'success';
      key: string;
      provider?: string | undefined;
      metadata?: Record<string, string> | undefined;
    }
  | { type: 'failed' };

export type AuthPrompt = TextPrompt | SelectPrompt;

interface Conditional {
  when?: AuthRule | undefined;
  /** The older spelling of `when`. */
  condition?: ((inputs: Record<string, string>) => boolean) | undefined;
}

export interface AuthRule {
  key: string;
  op: 'eq' | 'neq';
  value: string;
}

export interface TextPrompt extends Conditional {
  type: 'text';
  key: string;
  message: string;
  placeholder?: string | undefined;
  /** Returns what is wrong with the value, or undefined. */
  validate?: ((value: string) => string | undefined) | undefined;
}

export interface SelectPrompt extends Conditional {
  type: 'select';
  key: string;
  message: string;
  options: { label: string; value: string; hint?: string | undefined }[];
}

/** The page for the user, and the callback to complete the login: automatic (`auto`) or with a code. */
export type AuthOAuthResult = { url: string; instructions: string } & (
  | { method: 'auto'; callback(): Promise<OAuthCredentials> }
  | { method: 'code'; callback(code: string): Promise<OAuthCredentials> }
);

/** @deprecated OpenCode's first spelling of `AuthOAuthResult`. */
export type AuthOuathResult = AuthOAuthResult;

export type OAuthCredentials =
  | ({ type: 'success'; provider?: string | undefined } & (
      | {
          refresh: string;
          access: string;
          expires: number;
          accountId?: string | undefined;
          enterpriseUrl?: string | undefined;
        }
      | { key: string; metadata?: Record<string, string> | undefined }
    ))
  | { type: 'failed' };

/** A provider with models listed by a plugin. */
export interface ProviderHook {
  id: string;
  models?(provider: ProviderV2, context: ProviderHookContext): Promise<Record<string, ModelV2>>;
}

export interface ProviderHookContext {
  auth?: Auth | undefined;
}
