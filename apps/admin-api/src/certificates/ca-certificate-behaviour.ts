import type { FamilyBehaviour } from '../resources/family-behaviour.ts';
import { readChain } from './certificate-chain.ts';
import { digestOf, distinguishedName, validityOf } from './certificate-details.ts';

/** CA certificates are one certificate of an authority each. Source: wire contract, Certificates, consumers, vaults. */
export const caCertificateBehaviour: FamilyBehaviour = {
  derive(values) {
    const chain = readChain(String(values['cert']));
    if (!chain.ok) return values;
    const { leaf } = chain;
    return { ...values, cert_digest: digestOf(leaf), subject: distinguishedName(leaf.subject), ...validityOf(leaf) };
  },
  check({ cert }) {
    const chain = readChain(String(cert));
    const message = chain.ok ? mistakeOf(chain) : chain.message;
    return message === undefined ? [] : [{ pointer: '/cert', code: 'invalid_certificate', message }];
  },
};

function mistakeOf({ leaf, chain }: Extract<ReturnType<typeof readChain>, { ok: true }>): string | undefined {
  if (chain.length > 1) return 'must hold exactly one certificate';
  return leaf.ca ? undefined : 'is not the certificate of an authority (CA:TRUE is missing)';
}
