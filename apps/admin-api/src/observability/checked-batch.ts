import {
  isNestedWithin,
  latencyBinMax,
  latencyUsMax,
  observationBatch,
  observationLimits,
  type ObservationBatch,
} from '@portcullis/resources';
import { refuse } from '../http/body-input.ts';
import { validate } from '../http/field-problems.ts';

/**
 * A batch that obeys its schema. Batches of nodes nearly always do, and finding that out by the schema costs more than storing
 * them; so a check of our own goes first. What it does not let through the schema judges, which also names the mistakes.
 * @throws Problem `validation_failed`
 */
export function checkedBatch(document: unknown): ObservationBatch {
  if (isObservationBatch(document)) return document;
  const result = validate(observationBatch, document);
  if (!result.ok) refuse(result.problems);
  return (result.ok ? result.value : undefined) as ObservationBatch;
}

/** Whether a document is a batch as the schema describes it. It may say no to one that is, never yes to one that is not. */
export function isObservationBatch(document: unknown): document is ObservationBatch {
  return hasFields(document, 5, (key, value) => {
    switch (key) {
      case 'boot_id':
        return typeof value === 'string' && uuid.test(value);
      case 'sequence':
        return isBetween(value, 1, Number.MAX_SAFE_INTEGER);
      case 'dropped_records':
        return isBetween(value, 0, Number.MAX_SAFE_INTEGER);
      case 'counters':
        return isListOf(value, observationLimits.countersMax, isCounter);
      case 'records':
        return isListOf(value, observationLimits.recordsMax, isRecord);
      default:
        return false;
    }
  });
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
const { countMax, sumMax, thresholdsMax, stepsMax, aiLengthMax, aiDepthMax } = observationLimits;

function isCounter(counter: unknown): boolean {
  return hasFields(counter, 10, (key, value) => {
    switch (key) {
      case 'minute':
        return isBetween(value, 0, 1e9);
      case 'route_id':
      case 'service_id':
        return isText(value, 1, 128) && 'optional';
      case 'requests':
      case 'errors_4xx':
      case 'errors_5xx':
        return isBetween(value, 0, countMax);
      case 'latency_sum_us':
      case 'request_bytes':
      case 'response_bytes':
        return isBetween(value, 0, sumMax);
      case 'statuses':
        return arePairs(value, 100, 599, 500);
      case 'histogram':
        return arePairs(value, 0, latencyBinMax, latencyBinMax + 1);
      case 'over':
        return arePairs(value, 0, latencyUsMax, thresholdsMax);
      default:
        return false;
    }
  });
}

const sources: ReadonlySet<unknown> = new Set(['upstream', 'gateway', 'plugin']);

function isRecord(record: unknown): boolean {
  return hasFields(record, 13, (key, value) => {
    switch (key) {
      case 'id':
      case 'request_id':
        return isText(value, 1, 128);
      case 'service_id':
      case 'route_id':
      case 'consumer_id':
        return isText(value, 1, 128) && 'optional';
      case 'occurred_at_ms':
        return isBetween(value, 0, 1e14);
      case 'method':
        return isText(value, 0, 32);
      case 'path':
        return isText(value, 0, 2048);
      case 'path_template':
        return isText(value, 0, 2048) && 'optional';
      case 'status':
        return isBetween(value, 100, 599);
      case 'status_source':
        return sources.has(value);
      case 'latency_us':
      case 'gateway_latency_us':
        return isBetween(value, 0, latencyUsMax);
      case 'upstream_latency_us':
        return isBetween(value, 0, latencyUsMax) && 'optional';
      case 'request_bytes':
      case 'response_bytes':
        return isBetween(value, 0, sumMax);
      case 'client_ip':
        return isText(value, 0, 64);
      case 'plugins':
        return isListOf(value, stepsMax, isStep);
      case 'ai':
        return isAi(value) && 'optional';
      default:
        return false;
    }
  });
}

const stages: ReadonlySet<unknown> = new Set(['request', 'response', 'error', 'stream', 'tcp']);
const outcomes: ReadonlySet<unknown> = new Set(['continue', 'respond', 'failed', 'skipped']);

function isStep(step: unknown): boolean {
  return hasFields(step, 4, (key, value) => {
    switch (key) {
      case 'name':
        return isText(value, 0, 64);
      case 'stage':
        return stages.has(value);
      case 'outcome':
        return outcomes.has(value);
      case 'duration_us':
        return isBetween(value, 0, latencyUsMax);
      default:
        return false;
    }
  });
}

/** Keys that the schema leaves out of objects: it has to see them. */
const leftOut = ['__proto__', 'prototype', 'constructor'];

function isAi(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  if (leftOut.some((key) => Object.hasOwn(value, key)) || !isNestedWithin(value, aiDepthMax)) return false;
  return JSON.stringify(value).length <= aiLengthMax;
}

/**
 * Whether a value is an object all of whose fields are right.
 * @param required how many fields there must be beside those that are `optional`
 */
function hasFields(
  value: unknown,
  required: number,
  isRight: (key: string, value: unknown) => boolean | 'optional',
): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const fields = value as Readonly<Record<string, unknown>>;
  let found = 0;
  for (const key of Object.keys(fields)) {
    const answer = isRight(key, fields[key]);
    if (answer === false) return false;
    if (answer === true) found += 1;
  }
  return found === required;
}

function isBetween(value: unknown, minimum: number, maximum: number): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= minimum && value <= maximum;
}

function isText(value: unknown, lengthMin: number, lengthMax: number): boolean {
  return typeof value === 'string' && value.length >= lengthMin && value.length <= lengthMax;
}

function isListOf(value: unknown, lengthMax: number, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.length <= lengthMax && value.every(isItem);
}

function arePairs(value: unknown, keyMin: number, keyMax: number, lengthMax: number): boolean {
  return isListOf(
    value,
    lengthMax,
    (pair) =>
      Array.isArray(pair) && pair.length === 2 && isBetween(pair[0], keyMin, keyMax) && isBetween(pair[1], 0, countMax),
  );
}
