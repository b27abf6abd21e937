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
    const isSame = (field: string, value: unknown): boolean => value !== undefined && sni[field] === value;
    return isSame('certificate_id', certificate['id']) || isSame('certificate_name', certificate['name']);
  });
}
