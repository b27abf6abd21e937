import { Argument } from 'commander';
import type { Command } from 'commander';
import { shells } from '../completion/shells.ts';
import { withExamples } from './examples.ts';
import type { Run } from './run-command.ts';

/** Commands about gwctl itself. */
export function addToolCommands(program: Command, run: Run): void {
  const version = program
    .command('version')
    .description('the releases of gwctl and of the control plane')
    .option('--client', 'only that of gwctl, without a request')
    .action(run(async () => (await import('../commands/version.ts')).version));
  withExamples(version, 'gwctl version', 'gwctl version --client -o json');
  const completion = program
    .command('completion')
    .description('print a script with which a shell completes commands, options, entities and contexts')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .action(run(async () => (await import('../commands/completion.ts')).completion));
  withExamples(
    completion,
    'source <(gwctl completion bash)',
    'source <(gwctl completion zsh)',
    'gwctl completion fish > ~/.config/fish/completions/gwctl.fish',
  );
}
