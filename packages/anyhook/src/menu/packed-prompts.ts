/** What is taken of Inquirer. The build puts its code here, so that who embeds us installs none of its prompts. */
export { confirm, input, select } from '@inquirer/prompts';
