import type { Family } from '@portcullis/resources';
import { familyNamed } from '@portcullis/resources';
import { preconditionFailedStatus, Problem } from '../http/problem.ts';
import type { WriteConflict } from '../store/resource-store.ts';
import { toPointer } from './json-pointer.ts';

/** A refused write as the caller is told of it. */
export function problemOfConflict(family: Family, conflict: WriteConflict): Problem {
  const what = nameOf(family);
  switch (conflict.kind) {
    case 'id_exists':
      return new Problem('name_exists', `a ${what} with this ID exists`, {
        errors: [{ pointer: '/id', code: 'exists', message: 'exists' }],
      });
    case 'key_exists': {
      const { fields, from } = family.keys.find((key) => key.name === conflict.keyName) ?? { fields: [] };
      const shown = from === undefined ? fields.filter((field) => field in family.fields) : [from];
      return new Problem('name_exists', `a ${what} with this ${shown.join(' and ') || 'value'} exists`, {
        errors: shown.map((field) => ({ pointer: toPointer([field]), code: 'exists', message: 'exists' })),
      });
    }
    case 'reference_missing':
      return new Problem('reference_not_found', `${nameOf(familyNamed(conflict.targetFamily))} not found`, {
        errors: [{ pointer: toPointer([conflict.field]), code: 'reference_not_found', message: 'not found' }],
      });
    case 'stale':
      return new Problem('revision_conflict', `the ${what} was changed meanwhile`, {
        status: preconditionFailedStatus,
      });
    case 'referenced': {
      const by = conflict.by.map((referrer) => `${nameOf(familyNamed(referrer.family))} ${referrer.id}`);
      return new Problem('referenced_by_others', `the ${what} is still referred to by ${by.join(', ')}`);
    }
  }
}

function nameOf(family: Family): string {
  return family.singular.replaceAll('_', ' ');
}
