import { Option } from 'commander';
import type { Command } from 'commander';
import { withExamples } from './examples.ts';
import { tenantOption } from './run-command.ts';
import type { Run } from './run-command.ts';
import { wholeNumber } from './whole-number.ts';

/** Commands that read and write single records, and `match`. */
export function addRecordCommands(program: Command, run: Run): void {
  addGet(program, run);
  addWrites(program, run);
  const match = program
    .command('match <url>')
    .description('where a gateway sends a request, and why; exit code 1 when it answers it by itself')
    .requiredOption('--gateway-id <gateway>', 'gateway, by ID or name')
    .option(...tenantOption)
    .option('--method <method>', 'method of the request', 'GET')
    .option('--header <header>', "'Name: value', as often as needed", collected, [])
    .option('--sni <name>', 'server name of the TLS connection')
    .option('--consumer-id <consumer>', 'consumer that it comes from, by ID or name')
    .action(run(async () => (await import('../commands/match.ts')).match));
  withExamples(
    match,
    'gwctl match http://shop.example.com/orders/42 --gateway-id quickstart',
    "gwctl match https://shop.example.com/orders --gateway-id quickstart --method POST --header 'X-Beta: 1'",
  );
}

function addGet(program: Command, run: Run): void {
  const entities = program
    .command('entities')
    .description('the kinds of records, where they live and what can be done with them')
    .action(run(async () => (await import('../commands/entities.ts')).listEntities));
  withExamples(entities, 'gwctl entities', 'gwctl entities -o json');
  const get = withParents(program.command('get [entity] [id]'))
    .description('print records, or one by its ID or name (gwctl entities says which have names)')
    .option('--selector <labels>', 'only records with these labels: k=v,k2=v2')
    .option('--limit <n>', 'records to print, at most 200 (default: 50)', wholeNumber(1))
    .option('--offset <n>', 'records to leave out', wholeNumber(0))
    .addOption(new Option('--all', 'all pages, in place of one').conflicts('limit'))
    .option('--sort <field>', 'field to order by (default: created_at)')
    .addOption(new Option('--order <direction>', 'asc or desc').choices(['asc', 'desc']))
    .action(run(async () => (await import('../commands/get.ts')).get));
  withExamples(
    get,
    'gwctl get gateways',
    'gwctl get routes --gateway-id quickstart --selector team=shop --sort name',
    'gwctl get route orders --gateway-id quickstart -o yaml',
    'gwctl get consumers --all -o json',
  );
}

function addWrites(program: Command, run: Run): void {
  const writes = () => import('../commands/write-record.ts');
  const create = withParents(program.command('create [entity] [id]'))
    .description('create a record from a JSON or YAML file')
    .requiredOption('--file <file>', 'the record; - is standard input')
    .action(run(async () => (await writes()).create));
  withExamples(
    create,
    'gwctl create gateway --file gateway.yaml',
    "echo 'name: orders' | gwctl create upstream --gateway-id quickstart --file -",
  );
  const update = withParents(program.command('update [entity] [id]'))
    .description('change the fields of a record that a file gives (PATCH), or replace it (PUT)')
    .requiredOption('--file <file>', 'the fields, JSON or YAML; null removes one; - is standard input')
    .option('--replace', 'replace the whole record: fields that the file lacks get their defaults')
    .action(run(async () => (await writes()).update));
  withExamples(
    update,
    "echo 'enabled: false' | gwctl update route orders --gateway-id quickstart --file -",
    'gwctl update route orders --gateway-id quickstart --file route.yaml --replace',
  );
  const remove = withParents(program.command('delete <entity> <id>'))
    .description('delete a record, without asking')
    .action(run(async () => (await writes()).remove));
  withExamples(remove, 'gwctl delete route orders --gateway-id quickstart');
}

function collected(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

function withParents(command: Command): Command {
  return command
    .option(...tenantOption)
    .option('--gateway-id <gateway>', 'gateway that the records live in, by ID or name')
    .option('--consumer-id <consumer>', 'consumer that the records belong to, by ID or name')
    .option('--upstream-id <upstream>', 'upstream that the records belong to, by ID or name');
}
