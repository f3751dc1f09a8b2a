export { type Ask, askPerson } from './ask.ts';
export { toolsInModule } from './definitions-in.ts';
export { offeredTool, type ToolTerms } from './offered-tool.ts';
export { lastOfEachName, offeredTools, type Tools } from './offered-tools.ts';
export { tool } from './tool.ts';
