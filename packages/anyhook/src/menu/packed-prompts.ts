/** Re-exports what we use of Inquirer. The build bundles it, so that programs that embed us do not install its prompts. */
export { confirm, input, select } from '@inquirer/prompts';
