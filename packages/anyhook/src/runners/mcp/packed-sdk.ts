/**
 * The used parts of the official MCP SDK. The build bundles them, so that users do not install the SDK's
 * servers.
 */
export { Client } from '@modelcontextprotocol/sdk/client/index.js';
export { DEFAULT_INHERITED_ENV_VARS, getDefaultEnvironment } from '@modelcontextprotocol/sdk/client/stdio.js';
export { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
export { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
