import type { RecordIssue } from './configuration-issue.ts';
import { EXECUTION_RANGES, FAILURE_MODES, STAGES } from './execution-policy.ts';

/** Every mistake of an execution policy, whatever was given for one. Source: spec, Execution policy. */
export function checkExecution(policy: unknown): readonly RecordIssue[] {
  if (policy === undefined) return [];
  if (!isObject(policy)) return [{ pointer: '/execution', code: 'type', message: 'must be an object' }];
  return Object.entries(policy).flatMap(([field, value]) => checkField(field, value));
}

/** Whether a value is a whole number of a range. NaN, texts and fractions are none. */
export function checkRange(
  pointer: string,
  value: unknown,
  range: { readonly min: number; readonly max: number },
): readonly RecordIssue[] {
  if (typeof value === 'number' && Number.isInteger(value) && value >= range.min && value <= range.max) return [];
  return [{ pointer, code: 'out_of_range', message: `must be a whole number from ${range.min} to ${range.max}` }];
}

/** Whether a value is an object with fields, and no list. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function checkField(field: string, value: unknown): readonly RecordIssue[] {
  const pointer = `/execution/${field}`;
  if (value === undefined) return [];
  if (field === 'hook_timeouts_ms') return checkHookTimeouts(value);
  if (field === 'failure_mode') {
    if (FAILURE_MODES.some((mode) => mode === value)) return [];
    return [{ pointer, code: 'unknown_value', message: `must be one of ${FAILURE_MODES.join(', ')}` }];
  }
  if (!Object.hasOwn(EXECUTION_RANGES, field)) {
    return [{ pointer, code: 'unknown_field', message: 'is no field of an execution policy' }];
  }
  return checkRange(pointer, value, EXECUTION_RANGES[field as keyof typeof EXECUTION_RANGES]);
}

function checkHookTimeouts(timeouts: unknown): readonly RecordIssue[] {
  const place = '/execution/hook_timeouts_ms';
  if (!isObject(timeouts)) return [{ pointer: place, code: 'type', message: 'must be an object' }];
  return Object.entries(timeouts).flatMap(([hook, value]): readonly RecordIssue[] => {
    const isHook = STAGES.some((stage) => stage === hook);
    const pointer = `${place}/${hook}`;
    if (!isHook) return [{ pointer, code: 'unknown_field', message: `must be one of ${STAGES.join(', ')}` }];
    return value === undefined ? [] : checkRange(pointer, value, EXECUTION_RANGES.timeout_ms);
  });
}
