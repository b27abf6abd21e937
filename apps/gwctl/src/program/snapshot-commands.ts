import { Option } from 'commander';
import type { Command } from 'commander';
import { withExamples } from './examples.ts';
import { tenantOption } from './run-command.ts';
import type { Run } from './run-command.ts';
import { summaryOption } from './summary-option.ts';
import { wholeNumber } from './whole-number.ts';

const exampleId = '0198f3c2-7c1e-7b6a-9f0d-2a4b6c8d0e1f';

/** `snapshots`: what a configuration was, and the way back. */
export function addSnapshotCommands(program: Command, run: Run): void {
  const snapshots = program
    .command('snapshots')
    .description('list, show, create and delete snapshots, and roll back to one');
  const commands = () => import('../commands/snapshots.ts');
  const list = snapshots
    .command('list')
    .description('snapshots, newest first')
    .option('--limit <n>', 'snapshots to print, at most 200 (default: 50)', wholeNumber(1))
    .option('--offset <n>', 'snapshots to leave out', wholeNumber(0))
    .option(...tenantOption)
    .action(run(async () => (await commands()).listSnapshots));
  withExamples(list, 'gwctl snapshots list', 'gwctl snapshots list --limit 5 -o json');
  const show = snapshots
    .command('show <id>')
    .description('one snapshot; the dry run of a rollback shows how it differs from what is live')
    .option(...tenantOption)
    .action(run(async () => (await commands()).showSnapshot));
  withExamples(show, `gwctl snapshots show ${exampleId}`);
  const create = snapshots
    .command('create')
    .description('keep the configuration as it is now')
    .option('--note <text>', 'what the snapshot is to say')
    .option('--created-by <name>', 'whom the snapshot names')
    .option(...tenantOption)
    .action(run(async () => (await commands()).createSnapshot));
  withExamples(create, 'gwctl snapshots create --note "before the migration"');
  const remove = snapshots
    .command('delete <id>')
    .description('delete a snapshot, without asking; the configuration stays')
    .option(...tenantOption)
    .action(run(async () => (await commands()).deleteSnapshot));
  withExamples(remove, `gwctl snapshots delete ${exampleId}`);
  addRollback(snapshots, run);
}

function addRollback(snapshots: Command, run: Run): void {
  const mode = new Option('--mode <mode>', 'restore: later records stay; exact: they are removed');
  const rollback = snapshots
    .command('rollback <id>')
    .description('set the configuration back to a snapshot')
    .option('--apply', 'do it; without, only show what would change', false)
    .addOption(mode.choices(['restore', 'exact']).default('restore'))
    .option('--note <text>', 'what the snapshot that is taken before is to say')
    .option(...tenantOption)
    .addOption(summaryOption())
    .action(run(async () => (await import('../commands/snapshot-rollback.ts')).rollbackSnapshot));
  withExamples(
    rollback,
    `gwctl snapshots rollback ${exampleId}`,
    `gwctl snapshots rollback ${exampleId} --mode exact --apply`,
  );
}
