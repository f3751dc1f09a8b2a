/** What an empty journal means, and how something comes into it. */
export const NOTHING_RECORDED =
  'an agent with our bridge (anyhook install) writes here whenever hooks are asked';
