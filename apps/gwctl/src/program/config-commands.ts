import { Option } from 'commander';
import type { Command } from 'commander';
import { withExamples } from './examples.ts';
import type { Run } from './run-command.ts';

/** `config`: work on files that needs no server. */
export function addConfigCommands(program: Command, run: Run): void {
  const config = program.command('config').description('convert, merge and lint bundles without a server');
  const convert = config.command('convert').description('make a bundle out of something else');
  const openapi = withOutput(convert.command('openapi <file>'))
    .description('make services and routes out of an OpenAPI 3 description (- is standard input)')
    .option('--gateway <name>', 'a gateway that exists (default: the bundle makes one that is called like the service)')
    .option('--tenant-id <id>', "tenant of the bundle (default: the context's, else default)")
    .option('--service-name <name>', "what to call the service (default: the description's title)")
    .option('--url <url>', "where the API is, in place of the description's servers")
    .addOption(
      new Option('--routes-per <unit>', 'what becomes one route').choices(['path', 'operation']).default('path'),
    )
    .option('--oas-validation', 'check requests against the description (plugin oas_validation)', false)
    .action(run(async () => (await import('../commands/config/convert-openapi.ts')).convertOpenApi));
  const merge = withOutput(config.command('merge <files...>'))
    .description('put several files or folders into one document')
    .action(run(async () => (await import('../commands/config/merge.ts')).mergeFiles));
  const lint = config
    .command('lint [files...]')
    .description('find what is legal but unwise; exit code 1 from --fail-severity on')
    .option('--rules <file>', 'severities of rules: {rules: {ID: off|info|warning|error}}')
    .addOption(
      new Option('--fail-severity <severity>', 'least severity that fails')
        .choices(['error', 'warning', 'info', 'never'])
        .default('error'),
    )
    .option('--github', 'print annotations for GitHub workflows', false)
    .option('--list-rules', 'print the rules and their severities', false)
    .action(run(async () => (await import('../commands/config/lint.ts')).lint));
  withExamples(
    openapi,
    'gwctl config convert openapi petstore.yaml --output petstore.bundle.yaml',
    'gwctl config convert openapi petstore.yaml --url http://127.0.0.1:8002 | gwctl sync - --apply',
  );
  withExamples(merge, 'gwctl config merge base.yaml team/ --output bundle.yaml');
  withExamples(lint, 'gwctl config lint config/', 'gwctl config lint config/ --fail-severity warning --github');
}

function withOutput(command: Command): Command {
  return command
    .option('--output <file>', 'write to a file (default: standard output)')
    .addOption(new Option('--format <format>', "(default: the file's suffix, else yaml)").choices(['json', 'yaml']));
}
