import { parseTargetName } from '@portcullis/resources';
import type { FamilyBehaviour } from '../resources/family-behaviour.ts';
import type { Values } from '../resources/values.ts';

/** Targets take host and port from a name that reads `host:port`, and their name from host and port. Source: decisions, 6. */
export const targetBehaviour: FamilyBehaviour = {
  derive(values, before) {
    const address = addressOf(values, before);
    return { ...values, ...address, name: values['name'] ?? `${String(address.host)}:${String(address.port)}` };
  },
};

function addressOf(values: Values, before: Values | undefined): { host: unknown; port: unknown } {
  const named = typeof values['name'] === 'string' ? parseTargetName(values['name']) : undefined;
  const isGiven = values['host'] !== undefined && values['port'] !== undefined;
  const wasRenamedOnly =
    before !== undefined &&
    values['name'] !== before['name'] &&
    values['host'] === before['host'] &&
    values['port'] === before['port'];
  return named && (!isGiven || wasRenamedOnly) ? named : { host: values['host'], port: values['port'] };
}
