import type { FamilyRule, RuleViolation } from './family.ts';

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** Exactly one of the fields must be given. */
export function exactlyOneOf(...fields: readonly string[]): FamilyRule {
  return (record) => {
    const given = fields.filter((field) => isGiven(record[field]));
    if (given.length === 1) return [];
    const message = `exactly one of ${fields.join(', ')} is required`;
    const places = given.length === 0 ? [''] : given.slice(1).map((field) => `/${field}`);
    return places.map((pointer): RuleViolation => ({ pointer, code: 'exactly_one_of', message }));
  };
}

/** At least one of the fields must be given. */
export function atLeastOneOf(...fields: readonly string[]): FamilyRule {
  return (record) =>
    fields.some((field) => isGiven(record[field]))
      ? []
      : [{ pointer: '', code: 'at_least_one_of', message: `at least one of ${fields.join(', ')} is required` }];
}

/** The field must be given when `condition` holds. */
export function requiredWhen(
  field: string,
  condition: (record: Readonly<Record<string, unknown>>) => boolean,
  why: string,
): FamilyRule {
  return (record) =>
    condition(record) && !isGiven(record[field])
      ? [{ pointer: `/${field}`, code: 'required', message: `is required ${why}` }]
      : [];
}
