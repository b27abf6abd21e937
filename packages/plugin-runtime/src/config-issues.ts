import type { ConfigIssue } from './plugin.ts';
import type { StandardIssue } from './standard-schema.ts';

/**
 * The mistakes of a schema library in our form. Libraries like to quote what they received; a config holds secrets, so
 * that part is cut off, and a message that still holds one of the config's texts gives way to a plain one. What a message says of the
 * schema alone stays: a list of the words that are right may well contain the wrong one.
 */
export function toConfigIssues(issues: readonly StandardIssue[], config: unknown): readonly ConfigIssue[] {
  const texts = new Set<string>();
  collectTexts(config, texts, new Set(), DEPTH_MAX);
  return issues.map((issue) => ({
    pointer: toPointer(issue.path ?? []),
    code: codeOf(issue),
    message: withoutValue(issue.message, texts, choicesOf(issue)),
  }));
}

/** What Valibot says of an issue beside the common part. */
interface DetailedIssue extends StandardIssue {
  readonly kind?: unknown;
  readonly type?: unknown;
  readonly expected?: unknown;
  readonly received?: unknown;
}

/** Rules with a code of their own, as the administration API names them for its own fields. */
const ruleCodes: Readonly<Record<string, string>> = {
  min_length: 'min_length',
  non_empty: 'min_length',
  min_entries: 'min_length',
  max_length: 'max_length',
  max_entries: 'max_length',
  min_value: 'min_value',
  gt_value: 'min_value',
  max_value: 'max_value',
  lt_value: 'max_value',
  integer: 'integer',
};
const choiceTypes: ReadonlySet<unknown> = new Set(['picklist', 'enum', 'literal', 'variant']);

/** A stable code, whatever the library calls its schemas. One that says no more than the common part gives `invalid`. */
function codeOf({ kind, type, expected, received, path }: DetailedIssue): string {
  if (typeof type !== 'string') return 'invalid';
  if (kind !== 'schema') return ruleCodes[type] ?? 'format';
  // Objects say `never` of a field that they do not know, and quote the name of one that they miss.
  const isOfField = type.endsWith('object') && path !== undefined && path.length > 0;
  if (isOfField && expected === 'never') return 'unknown_field';
  if (received === 'undefined') return 'required';
  return choiceTypes.has(type) ? 'one_of' : 'type';
}

/** Texts shorter than this are words such as `ip` that rules name; no secret is as short. */
const SECRET_LENGTH_MIN = 6;

/** Words in which rules are told, and which configs hold for good reasons (`"target": "request"`): nobody's secret. */
const RULE_WORDS: ReadonlySet<string> = new Set([
  ...['object', 'string', 'number', 'integer', 'boolean', 'schema', 'header', 'headers', 'default', 'method'],
  ...['request', 'response', 'service', 'consumer', 'tenant', 'gateway', 'upstream', 'record', 'records'],
]);

/** Deeper values are refused by whoever parsed them; the bound keeps a hostile config from exhausting the stack. */
const DEPTH_MAX = 64;

/** @param known what the schema, and not the config, put into the message */
function withoutValue(message: string, texts: ReadonlySet<string>, known: string): string {
  const rule = message.replace(/,? (?:but )?received .*$/s, '').replace(/ \(was .*\)$/s, '');
  const words = rule.includes(known) ? known : '';
  const ofSchema = BOUND.test(rule) ? rule.replace(/[\d.]+/, '') : words;
  for (const text of texts) if (timesIn(rule, text) > timesIn(ofSchema, text)) return 'is not valid';
  return rule;
}

/** A bound: its words are ours, only its number could be the config's. */
const BOUND = /^must (?:be|have) at (?:least|most) -?[\d.]+(?: characters| entries)?$/;

/** The words of a choice as our messages list them; empty for other rules. */
function choicesOf({ type, expected }: DetailedIssue): string {
  if (!choiceTypes.has(type) || typeof expected !== 'string') return '';
  return [...expected.matchAll(/"([^"]*)"/g)].map(([, word]) => word).join(', ');
}

function timesIn(message: string, text: string): number {
  return message.split(text).length - 1;
}

function collectTexts(value: unknown, texts: Set<string>, seen: Set<object>, depth: number): void {
  if (typeof value === 'string') {
    if (value.length >= SECRET_LENGTH_MIN && !RULE_WORDS.has(value)) texts.add(value);
  } else if (typeof value === 'object' && value !== null && depth > 0 && !seen.has(value)) {
    // A config of a program may contain itself.
    seen.add(value);
    for (const item of Object.values(value)) collectTexts(item, texts, seen, depth - 1);
  }
}

/** JSON Pointer of a path. Source: RFC 6901. */
function toPointer(path: NonNullable<StandardIssue['path']>): string {
  return path
    .map((step) => String(typeof step === 'object' ? step.key : step))
    .map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}
