import type { Command } from 'commander';
import { withExamples } from './examples.ts';
import { tenantOption } from './run-command.ts';
import type { Run } from './run-command.ts';

/** `login`, `status` and `context`. */
export function addContextCommands(program: Command, run: Run): void {
  const login = program
    .command('login')
    .description('create a context from --token, or from a user name and password')
    .option('--username <name>', 'user to log in as')
    .option('--password <password>', 'asked for on the terminal when absent')
    .option('--password-stdin', 'read the password from standard input')
    .option('--token-stdin', 'read the token from standard input')
    .option('--context-name <name>', 'what to call the context (default: default)')
    .option('--tenant-id <id>', "tenant of the context (env: GWCTL_TENANT_ID; default: the user's own)")
    .option('--no-use', 'leave the present context current')
    .action(run(async () => (await import('../commands/login.ts')).login));
  withExamples(
    login,
    'gwctl --api-url http://127.0.0.1:8001 login --username admin --tenant-id default',
    'gwctl login --api-url https://api.example.com --token-stdin --context-name production < token.txt',
  );
  const status = program
    .command('status')
    .description('health, readiness and gateways; exit code 1 when one of them fails')
    .option(...tenantOption)
    .action(run(async () => (await import('../commands/status.ts')).status));
  withExamples(status, 'gwctl status', 'gwctl status --context production -o json');
  addContextGroup(program.command('context').description('list, show, choose and delete contexts'), run);
}

function addContextGroup(context: Command, run: Run): void {
  const contexts = () => import('../commands/context.ts');
  withExamples(context, 'gwctl context list', 'gwctl context use production');
  const list = context
    .command('list')
    .description('all contexts, tokens redacted')
    .action(run(async () => (await contexts()).listContexts));
  withExamples(list, 'gwctl context list', 'gwctl context list -o json');
  const show = context
    .command('show [context]')
    .description('one context, or the current one; token redacted')
    .action(run(async () => (await contexts()).showContext));
  withExamples(show, 'gwctl context show', 'gwctl context show production -o yaml');
  const use = context
    .command('use <context>')
    .description('make a context the current one')
    .action(run(async () => (await contexts()).useContext));
  withExamples(use, 'gwctl context use production');
  const remove = context
    .command('delete <context>')
    .description('forget a context and its token')
    .action(run(async () => (await contexts()).deleteContext));
  withExamples(remove, 'gwctl context delete staging');
}
