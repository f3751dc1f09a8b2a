/** One of six muted hues per agent, always the same for the same name. */
export function agentClass(name: string): string {
  let sum = 0;
  for (const character of name) sum = (sum * 31 + character.charCodeAt(0)) % 6;
  return `hue${sum}`;
}
