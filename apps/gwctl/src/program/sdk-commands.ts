import { Option } from 'commander';
import type { Command } from 'commander';
import { withExamples } from './examples.ts';
import { tenantOption } from './run-command.ts';
import type { Run } from './run-command.ts';

/** Languages that client libraries are made for. Source: spec, Operator command-line tool. */
const targets = ['typescript-fetch', 'python', 'go', 'java', 'csharp', 'php'];

/** `sdk`: client libraries of service versions. */
export function addSdkCommands(program: Command, run: Run): void {
  const sdk = program.command('sdk').description('client libraries of service versions');
  const target = new Option('--target <target>', 'language, and what it calls with');
  const command = sdk
    .command('export')
    .description('write a client library of a service version as an archive, once all that is said of it is checked')
    .requiredOption('--gateway-id <gateway>', 'gateway, by ID or name')
    .requiredOption('--service-id <service>', 'service, by ID or name')
    .requiredOption('--version-id <version>', 'service version, by ID or version')
    .addOption(target.choices(targets).makeOptionMandatory())
    .requiredOption('--output <file>', 'file to write, or a folder that takes the name that the archive has')
    .option('--package-name <name>', "name of the package (default: made of the API's title)")
    .option('--force', 'replace a file that exists', false)
    .option(...tenantOption)
    .action(run(async () => (await import('../commands/sdk-export.ts')).exportSdk));
  withExamples(
    command,
    'gwctl sdk export --gateway-id quickstart --service-id petstore --version-id 1.0.0 --target python --output .',
    'gwctl sdk export --gateway-id quickstart --service-id petstore --version-id 1.0.0 --target go --package-name example.com/acme/petstore --output petstore-go.zip --force',
  );
  withExamples(
    sdk,
    'gwctl sdk export --gateway-id quickstart --service-id petstore --version-id 1.0.0 --target typescript-fetch --output sdks/',
  );
}
