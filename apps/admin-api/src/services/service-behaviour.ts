import { parseServiceUrl } from '@portcullis/resources';
import type { FamilyBehaviour } from '../resources/family-behaviour.ts';

/** Services show the parts of their address. Source: wire contract, Gateways, services, routes. */
export const serviceBehaviour: FamilyBehaviour = {
  derive(values) {
    const url = typeof values['url'] === 'string' ? parseServiceUrl(values['url']) : undefined;
    return { ...values, ...(url ?? { protocol: 'http', path: '/' }) };
  },
};
