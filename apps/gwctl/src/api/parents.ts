import { familyNamed } from '@portcullis/resources';
import type { Family } from '@portcullis/resources';
import { CommandFailure } from '../failure.ts';
import { answerAs } from './answer-as.ts';
import { storedRecordSchema } from './answers.ts';
import { listParent, recordPath } from './entities.ts';
import type { Session } from './session.ts';

/** Options that name the records that others lie in; each takes an ID or a name. */
export interface ParentOptions {
  readonly gatewayId?: string;
  readonly consumerId?: string;
  readonly upstreamId?: string;
}

/** IDs out of {@link ParentOptions}: the gateway of the path, and the values of reference fields. */
export interface Parents {
  readonly gatewayId: string | undefined;
  readonly fields: Readonly<Record<string, string>>;
}

const optionNames = { gateway_id: 'gatewayId', consumer_id: 'consumerId', upstream_id: 'upstreamId' } as const;

/**
 * Looks up the records that the options name.
 * @throws CommandFailure for an option that is missing, that does not fit the family, or that names nothing
 */
export async function findParents(
  session: Session,
  family: Family,
  options: ParentOptions,
  purpose: 'list' | 'record',
): Promise<Parents> {
  if (family.scope === 'gateway' && options.gatewayId === undefined) {
    throw new CommandFailure(`${family.name} live in a gateway: give --gateway-id with its ID or name`);
  }
  const needed = purpose === 'list' ? listParent(family) : undefined;
  const fields: Record<string, string> = {};
  const gatewayId =
    family.scope === 'gateway' ? await idOf(session, 'gateways', undefined, options.gatewayId ?? '') : undefined;
  for (const [field, option] of Object.entries(optionNames)) {
    const given = options[option];
    if (given === undefined && needed?.field === field) {
      throw new CommandFailure(`listing ${family.name} needs --${field.replace('_', '-')} with an ID or a name`);
    }
    if (given === undefined || (field === 'gateway_id' && family.scope === 'gateway')) continue;
    const reference = family.references.find((candidate) => candidate.field === field);
    if (!reference) throw new CommandFailure(`--${field.replace('_', '-')} does not apply to ${family.name}`);
    fields[field] = await idOf(session, reference.family, gatewayId, given);
  }
  return { gatewayId, fields };
}

async function idOf(session: Session, name: string, gatewayId: string | undefined, given: string): Promise<string> {
  const family = familyNamed(name);
  const query = { tenant_id: session.tenantId };
  const answer = await session.call('GET', recordPath(family, gatewayId, given), { query });
  return answerAs(answer, storedRecordSchema).id;
}
