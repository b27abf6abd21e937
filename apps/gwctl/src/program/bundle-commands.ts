import { Option } from 'commander';
import type { Command } from 'commander';
import { withExamples } from './examples.ts';
import { tenantOption } from './run-command.ts';
import type { Run } from './run-command.ts';
import { addSnapshotCommands } from './snapshot-commands.ts';
import { summaryOption } from './summary-option.ts';
import { wholeNumber } from './whole-number.ts';

/** Commands that work on configuration bundles and the control plane. */
export function addBundleCommands(program: Command, run: Run): void {
  const validate = program
    .command('validate <file...>')
    .description('check a bundle without a server')
    .option('--strict', 'services and upstreams must be in the bundle', false)
    .action(run(async () => (await import('../commands/validate.ts')).validate));
  ofFiles(validate, 'gwctl validate bundle.yaml --strict', 'gwctl validate base.yaml team/ -o json');
  addExport(program, run);
  const diff = program
    .command('diff <file...>')
    .description('compare a bundle with the live state; exit code 2 when they differ')
    .option('--current <file>', 'compare with this bundle, a file or folder, and ask no server')
    .option('--strict', 'services and upstreams must be known')
    .option(...tenantOption)
    .addOption(summaryOption())
    .action(run(async () => (await import('../commands/diff.ts')).diff));
  ofFiles(
    diff,
    'gwctl diff bundle.yaml',
    'gwctl diff config/ --current exported.yaml',
    'gwctl diff config/ --summary github',
  );
  addSync(program, run);
  addImport(program, run);
  addSnapshotCommands(program, run);
}

function addExport(program: Command, run: Run): void {
  const format = new Option('--format <format>', "form of the bundle (default: the file's suffix, else json)");
  const command = program
    .command('export')
    .description("print a tenant's configuration as a bundle, or write it to a file; secrets are masked")
    .option(...tenantOption)
    .addOption(format.choices(['json', 'yaml']))
    .option('--output <file>', 'file to write, or a folder that takes <tenant>.json or .yaml')
    .option('--no-ids', 'leave IDs out and refer by name, to apply the bundle elsewhere')
    .action(run(async () => (await import('../commands/export.ts')).exportBundle));
  withExamples(
    command,
    'gwctl export --output bundle.yaml',
    'gwctl export --tenant-id acme --no-ids --format yaml > acme.yaml',
  );
}

function addSync(program: Command, run: Run): void {
  const command = program
    .command('sync <file...>')
    .description('create and update what a bundle holds; nothing is ever deleted')
    .option('--apply', 'do it; without, only show what would change', false)
    .option('--no-overwrite', 'leave live records that differ as they are')
    .option('--no-snapshot', 'keep no snapshot of the state before')
    .option('--strict', 'services and upstreams must be known (default)', true)
    .option('--no-strict', 'only warn of them')
    .action(run(async () => (await import('../commands/sync.ts')).sync));
  ofFiles(
    withApplyOptions(command),
    'gwctl sync bundle.yaml',
    'gwctl sync config/ --apply --snapshot-note "release 42"',
    'cat bundle.json | gwctl sync - --apply',
  );
}

function addImport(program: Command, run: Run): void {
  const command = program
    .command('import <file...>')
    .description('create at once what a bundle holds and is not there yet; exit code 3 when only a part was applied')
    .option('--dry-run', 'only show what would change', false)
    .option('--overwrite', 'change live records that differ; without, they are skipped', false)
    .option('--strict', 'services and upstreams must be known', false)
    .option('--snapshot', 'keep a snapshot of the state before', false)
    .option('--no-atomic', 'keep what can be applied although the rest fails')
    .action(run(async () => (await import('../commands/import.ts')).importBundle));
  ofFiles(
    withApplyOptions(command),
    'gwctl import bundle.yaml --dry-run',
    'gwctl import config/ --overwrite --snapshot',
    'gwctl import bundle.yaml --no-atomic',
  );
}

function withApplyOptions(command: Command): Command {
  return command
    .option('--snapshot-note <text>', 'what the snapshot is to say')
    .option('--created-by <name>', 'whom the snapshot names')
    .option(
      '--expected-revision <n>',
      'refuse when the live state is at another revision (live_revision of diff -o json)',
      wholeNumber(0),
    )
    .option(...tenantOption)
    .addOption(summaryOption());
}

function ofFiles(command: Command, ...examples: readonly string[]): void {
  command.addHelpText(
    'after',
    `
A file may be a folder: all .yaml, .yml and .json files in it and below, ordered by path. Several files are one bundle,
and - is standard input.`,
  );
  withExamples(command, ...examples);
}
