/** A plugin for OpenCode: long test reports do not fill the model's memory. */
export const QuietTests = async () => ({
  'tool.execute.before': async ({ tool }, output) => {
    if (tool === 'bash' && output.args.command === 'node test.js')
      output.args.command = 'node test.js --quiet';
  },
});
