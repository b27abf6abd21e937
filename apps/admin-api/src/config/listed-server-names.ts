import { isValues, without } from '../resources/values.ts';
import type { Values } from '../resources/values.ts';

/**
 * A bundle with the server names that its certificates list (`snis`) as records of its `snis`, which is what they become. So
 * they are compared with live ones, get the certificate of the bundle and, like everything that a bundle does not hold, are
 * never deleted. A certificate that has neither ID nor name keeps its list: no record could refer to it.
 * @param document of any shape; what is no such list is left for validation to refuse
 */
export function withListedServerNames(document: unknown): unknown {
  if (!isValues(document) || !Array.isArray(document['certificates'])) return document;
  const given: unknown = document['snis'] ?? [];
  if (!Array.isArray(given)) return document;
  const byName = Map.groupBy(given.filter(isValues), (sni) => sni['name']);
  const listed: Values[] = [];
  const certificates = document['certificates'].map((certificate: unknown) => {
    const names = namesOf(certificate);
    if (!isValues(certificate) || !names) return certificate;
    // One by one: spreading a list into arguments has a limit.
    for (const name of names) {
      if (!isGiven(byName.get(name) ?? [], certificate)) listed.push(sniOf(name, certificate));
    }
    return without(certificate, 'snis');
  });
  return { ...document, certificates, ...(listed.length > 0 && { snis: [...given, ...listed] }) };
}

/** The list of a certificate that can be referred to. */
function namesOf(certificate: unknown): readonly string[] | undefined {
  if (!isValues(certificate) || !Array.isArray(certificate['snis'])) return undefined;
  const names: readonly unknown[] = certificate['snis'];
  const isNamed = typeof certificate['id'] === 'string' || typeof certificate['name'] === 'string';
  return isNamed && names.every((name) => typeof name === 'string') ? names : undefined;
}

function sniOf(name: string, certificate: Values): Values {
  const { id, name: certificateName, gateway_id: gatewayId, gateway_name: gatewayName } = certificate;
  return {
    name,
    ...(gatewayId !== undefined && { gateway_id: gatewayId }),
    ...(gatewayName !== undefined && { gateway_name: gatewayName }),
    ...(typeof id === 'string' ? { certificate_id: id } : { certificate_name: certificateName }),
  };
}

/**
 * Whether the bundle says the same by a record of its own. Another certificate's record is a contradiction, found later.
 * @param snis the records of that name
 */
function isGiven(snis: readonly Values[], certificate: Values): boolean {
  return snis.some((sni) => {
    if (certificate['id'] !== undefined && sni['certificate_id'] === certificate['id']) return true;
    const isNamed = certificate['name'] !== undefined && sni['certificate_name'] === certificate['name'];
    return isNamed && isSameGateway(sni, certificate);
  });
}

/** Names of certificates mean something within a gateway only. Where it is in doubt, nothing is taken for said already. */
function isSameGateway(left: Values, right: Values): boolean {
  const fields = ['gateway_id', 'gateway_name'];
  const given = fields.filter((field) => left[field] !== undefined || right[field] !== undefined);
  return given.length === 0 || given.some((field) => left[field] === right[field]);
}
