/** What is taken of the official MCP SDK. The build puts its code here, so that a user installs none of the SDK's servers. */
export { Client } from '@modelcontextprotocol/sdk/client/index.js';
export { DEFAULT_INHERITED_ENV_VARS, getDefaultEnvironment } from '@modelcontextprotocol/sdk/client/stdio.js';
export { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
export { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
