import { Command, InvalidArgumentError, Option } from 'commander';
import { variables } from '../contexts/environment.ts';
import { outputFormats, timeoutMsOf } from '../options.ts';
import { ownRelease } from '../release.ts';
import { addAuditCommands } from './audit-commands.ts';
import { addBundleCommands } from './bundle-commands.ts';
import { addConfigCommands } from './config-commands.ts';
import { addContextCommands } from './context-commands.ts';
import { withExamples } from './examples.ts';
import { addRecordCommands } from './record-commands.ts';
import { runner } from './run-command.ts';
import { addSdkCommands } from './sdk-commands.ts';
import { addToolCommands } from './tool-commands.ts';

/**
 * The command line. Every command is loaded only when it is run, so that `--help` is there at once.
 * @param finish gets the exit code of the command that ran
 */
export function buildProgram(finish: (exitCode: number) => void): Command {
  const run = runner(finish);
  const program = new Command('gwctl')
    .description('Operates a Portcullis control plane')
    .version(ownRelease(), '-V, --version', 'print the release of gwctl')
    .helpOption('-h, --help', 'print this help')
    .configureHelp({ showGlobalOptions: true })
    .option('--api-url <url>', `address of the control plane (env: ${variables.apiUrl}; default: the context's)`)
    .option('--token <token>', `bearer token (env: ${variables.token}; default: the context's)`)
    .option('--context <context>', `context to use (env: ${variables.context}; default: the current one)`)
    .addOption(new Option('-o, --output-format <format>', 'what to print').choices(outputFormats).default('table'))
    .addOption(
      new Option('--timeout <seconds>', `time limit of a request (env: ${variables.timeout}; default: 30)`).argParser(
        parseTimeout,
      ),
    )
    .option('-v, --verbose', 'tell every request on standard error, without tokens and bodies')
    .option('--allow-version-mismatch', 'write although the control plane is of another release')
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'gwctl: ')) })
    .showHelpAfterError('(gwctl --help lists what there is)')
    .addHelpText('after', conventions);
  program.commandsGroup('Access:');
  addContextCommands(program, run);
  program.commandsGroup('Records:');
  addRecordCommands(program, run);
  addSdkCommands(program, run);
  program.commandsGroup('Configuration bundles:');
  addBundleCommands(program, run);
  addConfigCommands(program, run);
  program.commandsGroup('The audit log:');
  addAuditCommands(program, run);
  program.commandsGroup('The tool:');
  addToolCommands(program, run);
  program.helpCommand('help [command]', 'print the help of a command');
  return withExamples(program, ...examples);
}

function parseTimeout(text: string): number {
  const timeoutMs = timeoutMsOf(text);
  if (timeoutMs === undefined) throw new InvalidArgumentError('a number of seconds above 0, at most 3600.');
  return timeoutMs;
}

const conventions = `
Global options may stand before or after the command. Data goes to standard output, messages to standard error.
Exit codes: 0 done, 1 failed or invalid, 2 diff found differences, 3 partly applied, 130 interrupted.
Those of audit verify: 0 whole, 2 tampered, 3 cannot decide.
An option beats its environment variable, which beats the current context.`;

const examples = [
  'gwctl --api-url http://127.0.0.1:8001 login --username admin --tenant-id default',
  'gwctl status -o json',
  'gwctl sync bundle.yaml --apply',
  'gwctl get routes --gateway-id quickstart',
  'gwctl match http://shop.example.com/orders/42 --gateway-id quickstart',
  "echo 'enabled: false' | gwctl update route echo --gateway-id quickstart --file -",
];
