export { credentialFolder } from './credential-folder.ts';
export { login, type LoginResult, type LoginTerms } from './login.ts';
export { offeredAuth } from './offered-auth.ts';
export { type CredentialStore, openCredentialStore } from './store.ts';
