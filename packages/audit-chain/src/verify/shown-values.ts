import { isHash } from '../hashing/hex.ts';
import { commitField } from '../records/commitment.ts';
import type { ExportRecord } from '../records/export-line.ts';
import { jsonForm } from '../records/json-form.ts';
import type { RecordProblem } from './problem.ts';
import type { RecordFacts } from './record-facts.ts';

/** The first version of the record's shape whose redactable fields are commitments. */
const COMMITTED_SCHEMA_VERSION = 2;
const LINKS = [
  'tenant_sequence',
  'previous_hash',
  'audit_hash',
  'global_sequence',
  'global_previous_hash',
  'global_hash',
] as const satisfies readonly (keyof ExportRecord)[];

/** Whether the value stands for another one, as `commitField` makes it. */
export function isCommitment(value: unknown): value is { readonly c: string } {
  return (
    typeof value === 'object' && value !== null && Object.keys(value).length === 1 && 'c' in value && isHash(value.c)
  );
}

/** Names of the members whose text is a commitment. In records of the older form only what is disclosed can be one. */
export function committedNames(facts: RecordFacts, redactable: ReadonlySet<string>): readonly string[] {
  const version = facts.fields['schema_version'];
  const isOlder = typeof version === 'number' && version < COMMITTED_SCHEMA_VERSION;
  const { disclosures = {} } = facts.record;
  const isCommitted = (name: string): boolean => !isOlder || Object.hasOwn(disclosures, name);
  return [...redactable].filter((name) => isCommitment(facts.fields[name]) && isCommitted(name));
}

/** Compares what is shown beside the hashed text with that text: values of commitments, and the columns of a store. */
export function checkShown(facts: RecordFacts, redactable: ReadonlySet<string>): RecordProblem | undefined {
  const committed = new Set(committedNames(facts, redactable));
  for (const [name, disclosure] of Object.entries(facts.record.disclosures ?? {})) {
    if (!redactable.has(name))
      return { kind: 'not_redactable', detail: `${name.slice(0, 64)} is no field that may be erased` };
    if (disclosure === null) continue;
    const commitment = committed.has(name) ? facts.fields[name] : undefined;
    if (!isCommitment(commitment) || commitmentOf(disclosure) !== commitment.c) {
      return { kind: 'disclosure_mismatch', detail: `the value shown as ${name} is not the one that was hashed` };
    }
  }
  return checkDisplayed(facts, committed);
}

function checkDisplayed(facts: RecordFacts, committed: ReadonlySet<string>): RecordProblem | undefined {
  for (const [name, shown] of Object.entries(facts.record.displayed ?? {})) {
    const isKnown = Object.hasOwn(facts.fields, name) || LINKS.some((known) => known === name);
    if (!isKnown || !isSame(shown, hashedValue(facts, name, committed))) {
      return { kind: 'display_edited', detail: `${name.slice(0, 64)} is shown otherwise than it was hashed` };
    }
  }
  return undefined;
}

/** What the hashed text, or the record's place, says under that name. An erased value is null. */
function hashedValue(facts: RecordFacts, name: string, committed: ReadonlySet<string>): unknown {
  const link = LINKS.find((known) => known === name);
  if (link !== undefined) return facts.record[link];
  if (!committed.has(name)) return facts.fields[name];
  const { disclosures = {} } = facts.record;
  return Object.hasOwn(disclosures, name) ? (disclosures[name]?.value ?? null) : null;
}

/** Nothing and null are one: a column cannot tell them apart. */
function isSame(shown: unknown, hashed: unknown): boolean {
  if (shown === hashed || (shown ?? null) === (hashed ?? null)) return true;
  try {
    return jsonForm(shown) === jsonForm(hashed);
  } catch {
    return false;
  }
}

function commitmentOf(disclosure: { readonly salt: string; readonly value: unknown }): string | undefined {
  try {
    return commitField(disclosure.value, disclosure.salt).c;
  } catch {
    return undefined;
  }
}
