import type { LogScope, Verdict } from '@portcullis/audit-chain';
import { harmlessText } from '@portcullis/bundle-diff';
import { coloured } from '../../output/terminal.ts';

/** Which log was verified, in words. */
export function scopeText(scope: LogScope): string {
  if (scope.kind === 'global') return 'the log over all tenants';
  return scope.tenantId === '' ? 'the log of what belongs to no tenant' : `the log of tenant ${scope.tenantId}`;
}

/** What a person has to know beside the verdict. */
export function warningsOf(verdict: Verdict, { checkpoint }: { readonly checkpoint: readonly string[] }): string[] {
  const { head, sealed, redacted, pruned, passedOver, findings } = verdict;
  const warnings: string[] = [];
  if (verdict.outcome === 'valid' && checkpoint.length === 0) {
    warnings.push('no checkpoint was given: a log that was written anew from its first record would look the same');
  } else if (verdict.outcome === 'valid' && sealed < head.sequence) {
    warnings.push(`no checkpoint covers the records after ${sealed}: they could have been written anew`);
  }
  if (pruned > 0) warnings.push(`records 1 to ${pruned} are not in this log: its beginning was deleted`);
  if (passedOver > 0) warnings.push(`${passedOver} checkpoints are of deleted records and could not be compared`);
  if (redacted > 0)
    warnings.push(
      `${redacted} values in it were erased${verdict.outcome === 'valid' ? ', and its records of action redact say by whom' : ''}`,
    );
  for (const { sequence, behindMs } of findings) {
    const behind = Math.round(behindMs / 1000);
    warnings.push(`record ${sequence} is ${behind} s older than one before it: a clock was set back`);
  }
  return warnings;
}

/** The verdict for programs. */
export function verdictDocument(verdict: Verdict, scope: LogScope): Readonly<Record<string, unknown>> {
  const { outcome, checked, head, sealed, redacted, pruned, passedOver, findings } = verdict;
  const tenant = scope.kind === 'tenant' ? { tenant_id: scope.tenantId } : {};
  const counts = { checked, sealed, redacted, pruned_through: pruned, checkpoints_passed_over: passedOver };
  const summary = { log: scope.kind, ...tenant, ...counts, head, findings };
  if (outcome === 'valid') return { outcome: 'whole', ...summary, root: verdict.root ?? null };
  const { line = null } = verdict;
  const detail = harmlessText(verdict.detail);
  if (outcome === 'undecidable') return { outcome, reason: verdict.reason, line, detail, ...summary };
  return { outcome, kind: verdict.kind, first_bad: verdict.firstBad, line, detail, ...summary };
}

/** The verdict for people. Details may repeat what the file says: it is shown, not obeyed. */
export function verdictText(verdict: Verdict, scope: LogScope): string {
  const { checked, sealed, head } = verdict;
  // A checkpoint counts from the first record that ever was.
  const covered = Math.max(0, checked - (head.sequence - sealed));
  const counts = `${checked} records are good, ${covered} of them covered by a checkpoint (${harmlessText(scopeText(scope))})`;
  const place = verdict.outcome === 'valid' || verdict.line === undefined ? '' : ` (line ${verdict.line})`;
  switch (verdict.outcome) {
    case 'valid':
      return `${coloured('green', 'whole')}: ${counts}`;
    case 'tampered': {
      const what = `${verdict.kind} at sequence ${verdict.firstBad}${place}: ${harmlessText(verdict.detail)}`;
      return `${coloured('red', 'tampered')}: ${what}\n${counts}`;
    }
    case 'undecidable': {
      const why = `${verdict.reason}${place}: ${harmlessText(verdict.detail)}`;
      return `${coloured('yellow', 'cannot decide')}: ${why}\n${counts}`;
    }
  }
}
