import type { Command } from 'commander';
import { withExamples } from './examples.ts';
import { tenantOption } from './run-command.ts';
import type { Run } from './run-command.ts';
import { wholeNumber } from './whole-number.ts';

const allTenants = ['--all-tenants', 'the log over all tenants; for super administrators', false] as const;
const key = [
  '--key <key>',
  'public key that signs checkpoints, or a file with it; as often as needed',
  collected,
  [],
] as const;

/** `audit`: the auditor's work, with a server and without. */
export function addAuditCommands(program: Command, run: Run): void {
  const audit = program.command('audit').description('export and verify the audit log, and keep its checkpoints');
  const exportLog = audit
    .command('export')
    .description('the log, a record a line, as `audit verify` reads it')
    .option('--output <file>', 'write to a file (default: standard output)')
    .option('--from <sequence>', 'go on with this record, at the end of the file', wholeNumber(1))
    .option(...allTenants)
    .option(...tenantOption)
    .action(run(async () => (await import('../commands/audit/export-log.ts')).exportLog));
  withExamples(
    exportLog,
    'gwctl audit export --all-tenants --output audit.ndjson',
    'gwctl audit export --all-tenants --output audit.ndjson --from 120001',
  );
  const verify = audit
    .command('verify <file>')
    .description('check an export without a server (- is standard input); exit code 2 tampered, 3 cannot decide')
    .option(...key)
    .option('--checkpoint <file>', 'signed note, or what was saved or anchored; as often as needed', collected, [])
    .option('--all-tenants', 'the export is of the log over all tenants (default: what its first record says)', false)
    .option('--tenant-id <id>', "the export is of this tenant's log (default: what its first record says)")
    .option('--pruned-through <sequence>', 'its beginning up to here is known to be deleted rightly', wholeNumber(1))
    .action(run(async () => (await import('../commands/audit/verify-log.ts')).verifyLog));
  withExamples(verify, 'gwctl audit verify audit.ndjson --key audit.pub --checkpoint checkpoints.ndjson');
  addCheckpoint(audit, run);
}

function addCheckpoint(audit: Command, run: Run): void {
  const checkpoint = audit.command('checkpoint').description('the signed head of the log');
  const commands = () => import('../commands/audit/checkpoint.ts');
  const show = checkpoint
    .command('show')
    .description('print the checkpoint of the log as it stands, and the public keys')
    .option(...key)
    .option(...allTenants)
    .option(...tenantOption)
    .action(run(async () => (await commands()).showCheckpoint));
  withExamples(show, 'gwctl audit checkpoint show --all-tenants');
  const save = checkpoint
    .command('save <file>')
    .description(
      'append the checkpoint to a file once the log is shown to continue the last one in it; exit code 2 if not',
    )
    .option(...key)
    .option(...allTenants)
    .option(...tenantOption)
    .action(run(async () => (await commands()).saveCheckpoint));
  withExamples(save, 'gwctl audit checkpoint save checkpoints.ndjson --all-tenants --key audit.pub');
}

function collected(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}
