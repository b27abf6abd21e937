import { isObject } from './check-execution.ts';
import type { ConfigurationIssue, RecordIssue } from './configuration-issue.ts';
import { SCOPE_SELECTORS } from './scope-matching.ts';

/** A record as somebody gave it, read once: what its fields say cannot change afterwards. */
export interface ReadRecord<Record> {
  /** `undefined`: it is no record, or cannot be read. */
  readonly record: Record | undefined;
  /** Its place in its list. */
  readonly index: number;
}

/**
 * Reads records that may be anything.
 * @throws TypeError for what is no list
 */
export function readRecords<Record extends object>(records: readonly Record[], what: string): ReadRecord<Record>[] {
  if (!Array.isArray(records)) throw new TypeError(`${what} are a list`);
  return Array.from(records as readonly unknown[], (value, index) => ({
    record: readRecord(value) as Record | undefined,
    index,
  }));
}

/** Fields of the wrong type. What a field may hold beyond its type is checked elsewhere. */
export function checkShape(record: object): readonly RecordIssue[] {
  const issues: RecordIssue[] = [];
  for (const [field, value] of Object.entries(record)) {
    if (value === undefined) continue;
    if (TEXTS.has(field) && (typeof value !== 'string' || value === '')) {
      issues.push({ pointer: `/${field}`, code: 'type', message: 'must be a text that is not empty' });
    } else if (field === 'enabled' && typeof value !== 'boolean') {
      issues.push({ pointer: '/enabled', code: 'type', message: 'must be true or false' });
    } else if (field === 'labels' && !isObject(value)) {
      issues.push({ pointer: '/labels', code: 'type', message: 'must be an object' });
    }
  }
  return issues;
}

/** Fields of a scope in an inline entry: it would run for everybody all the same. Source: spec, Plugin instance. */
export function checkNoScope(entry: object): readonly RecordIssue[] {
  return Object.entries(entry).flatMap(([field, value]): readonly RecordIssue[] => {
    if (value === undefined || !SCOPE_FIELDS.has(field)) return [];
    const message = 'belongs to collection instances only: an inline entry runs for all requests of its route';
    return [{ pointer: `/${field}`, code: 'misplaced_field', message }];
  });
}

/** Where a record's issues stand. */
export function placeOf(
  source: ConfigurationIssue['source'],
  index: number,
  record: object | undefined,
): Pick<ConfigurationIssue, 'source' | 'index' | 'id' | 'name'> {
  const { id, name } = (record ?? {}) as { id?: unknown; name?: unknown };
  return { source, index, id: typeof id === 'string' ? id : '', name: typeof name === 'string' ? name : '' };
}

/** What stands where a record should. */
export const NO_RECORD: RecordIssue = { pointer: '', code: 'type', message: 'must be an object that can be read' };

const SELECTORS: readonly string[] = Object.values(SCOPE_SELECTORS).flat();

const TEXTS: ReadonlySet<string> = new Set(['id', 'tenant_id', ...SELECTORS]);

const SCOPE_FIELDS: ReadonlySet<string> = new Set(['scope', ...SELECTORS]);

function readRecord(value: unknown): object | undefined {
  if (!isObject(value)) return undefined;
  try {
    return { ...value };
  } catch {
    // A getter or a proxy that throws.
    return undefined;
  }
}
