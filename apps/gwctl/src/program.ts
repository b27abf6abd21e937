import { Command, InvalidArgumentError, Option } from 'commander';
import { outputFormats, timeoutMsOf } from './options.ts';
import { ownRelease } from './release.ts';

/** Loads a command: it gets all options and its arguments, and gives the exit code. */
type Load = () => Promise<(options: never, ...args: never[]) => number | Promise<number>>;

/** Makes commander's action out of a command. */
type Run = (load: Load) => (...received: unknown[]) => Promise<void>;

/**
 * The command line. Every command is loaded only when it is run, so that `--help` is there at once.
 * @param finish gets the exit code of the command that ran
 */
export function buildProgram(finish: (exitCode: number) => void): Command {
  const run: Run =
    (load) =>
    async (...received) => {
      const { timeout, ...options } = (received.at(-1) as Command).optsWithGlobals();
      const [command, args] = [await load(), received.slice(0, -2)] as const;
      finish(await Reflect.apply(command, undefined, [{ ...options, timeoutMs: timeout as unknown }, ...args]));
    };
  const program = new Command('gwctl')
    .description('Operates a Portcullis control plane')
    .version(ownRelease())
    .option('--api-url <url>', "address of the control plane (default: the context's)")
    .option('--token <token>', "bearer token (default: the context's)")
    .option('--context <name>', 'context to use (default: the current one)')
    .addOption(new Option('-o, --output-format <format>', 'what to print').choices(outputFormats).default('table'))
    .addOption(
      new Option('--timeout <seconds>', 'time limit of a request').argParser(parseTimeout).default(30_000, '30'),
    )
    .option('--allow-version-mismatch', 'write although the control plane is of another release', false)
    .exitOverride()
    .showHelpAfterError('(gwctl --help lists what there is)')
    .addHelpText('after', examples);
  addContextCommands(program, run);
  addRecordCommands(program, run);
  addBundleCommands(program, run);
  return program;
}

const tenant = ['--tenant-id <id>', "tenant (default: the context's)"] as const;

function addContextCommands(program: Command, run: Run): void {
  program
    .command('login')
    .description('create a context from --token, or from a user name and password')
    .option('--username <name>', 'user to log in as')
    .option('--password <password>', 'asked for on the terminal when absent')
    .option('--password-stdin', 'read the password from standard input')
    .option('--context-name <name>', 'what to call the context (default: default)')
    .option('--tenant-id <id>', "tenant of the context (default: the user's own)")
    .option('--no-use', 'leave the present context current')
    .action(run(async () => (await import('./commands/login.ts')).login));
  program
    .command('status')
    .description('health, readiness and gateways')
    .option(...tenant)
    .action(run(async () => (await import('./commands/status.ts')).status));
  const context = program.command('context').description('list, show, choose and delete contexts');
  const contexts = () => import('./commands/context.ts');
  context
    .command('list')
    .description('all contexts, tokens redacted')
    .action(run(async () => (await contexts()).listContexts));
  context
    .command('show [name]')
    .description('one context, token redacted')
    .action(run(async () => (await contexts()).showContext));
  context
    .command('use <name>')
    .description('make a context the current one')
    .action(run(async () => (await contexts()).useContext));
  context
    .command('delete <name>')
    .description('forget a context and its token')
    .action(run(async () => (await contexts()).deleteContext));
}

function addRecordCommands(program: Command, run: Run): void {
  const writes = () => import('./commands/write-record.ts');
  withParents(program.command('get [entity] [id]'))
    .description('print records, or one by its ID (or name: `gwctl get` alone says where)')
    .option('--selector <labels>', 'only records with these labels: k=v,k2=v2')
    .option('--limit <n>', 'records to print, at most 200')
    .option('--offset <n>', 'records to leave out')
    .option('--sort <field>', 'field to order by')
    .option('--order <direction>', 'asc or desc')
    .action(run(async () => (await import('./commands/get.ts')).get));
  withParents(program.command('create [entity] [id]'))
    .description('create a record from a JSON or YAML file (- is standard input)')
    .requiredOption('--file <file>', 'the record')
    .action(run(async () => (await writes()).create));
  withParents(program.command('update [entity] [id]'))
    .description('change the fields of a record that a JSON or YAML file (- is standard input) gives')
    .requiredOption('--file <file>', 'the fields')
    .action(run(async () => (await writes()).update));
  withParents(program.command('delete <entity> <id>'))
    .description('delete a record')
    .action(run(async () => (await writes()).remove));
}

function addBundleCommands(program: Command, run: Run): void {
  program
    .command('validate <file>')
    .description('check a bundle without a server')
    .option('--strict', 'services and upstreams must be in the bundle', false)
    .action(run(async () => (await import('./commands/validate.ts')).validate));
  program
    .command('diff <file>')
    .description('compare a bundle with the live state; exit code 2 when they differ')
    .option(...tenant)
    .option('--strict', 'services and upstreams must be known')
    .action(run(async () => (await import('./commands/diff.ts')).diff));
  program
    .command('sync <file>')
    .description('create and update what a bundle holds; nothing is ever deleted')
    .option('--apply', 'do it; without, only show what would change', false)
    .option('--no-overwrite', 'leave live records that differ as they are')
    .option('--strict', 'services and upstreams must be known (default)', true)
    .option('--no-strict', 'only warn of them')
    .option(...tenant)
    .action(run(async () => (await import('./commands/sync.ts')).sync));
}

function withParents(command: Command): Command {
  return command
    .option(...tenant)
    .option('--gateway-id <gateway>', 'gateway that the records live in, by ID or name')
    .option('--consumer-id <consumer>', 'consumer that the records belong to, by ID or name')
    .option('--upstream-id <upstream>', 'upstream that the records belong to, by ID or name');
}

function parseTimeout(text: string): number {
  const timeoutMs = timeoutMsOf(text);
  if (timeoutMs === undefined) throw new InvalidArgumentError('a number of seconds above 0, at most 3600.');
  return timeoutMs;
}

const examples = `
Examples:
  $ gwctl --api-url http://127.0.0.1:8001 login --username admin --tenant-id default
  $ gwctl status -o json
  $ gwctl sync bundle.yaml --apply
  $ gwctl get routes --gateway-id quickstart
  $ echo 'enabled: false' | gwctl update route echo --gateway-id quickstart --file -

Global options may stand before or after the command. Data goes to standard output, messages to standard error.
Exit codes: 0 done, 1 failed or invalid, 2 diff found differences, 3 partly applied.`;
