import type { Command } from 'commander';

/** Adds examples to the end of a command's help: command lines, without the prompt. The reference page has them too. */
export function withExamples(command: Command, ...examples: readonly string[]): Command {
  return command.addHelpText('after', ['', 'Examples:', ...examples.map((line) => `  $ ${line}`)].join('\n'));
}
