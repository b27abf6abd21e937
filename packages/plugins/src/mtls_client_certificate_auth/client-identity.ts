import type { ConsumerDirectory, ConsumerIdentity } from '@portcullis/plugin-runtime';
import { alternativeNameKey, parseAlternativeName } from './alternative-names.ts';
import type { CertificateContent } from './certificate-content.ts';
import type { Config } from './config.ts';
import { commonNameOf, nameKey } from './distinguished-name.ts';
import type { Mismatch } from './refusal-reasons.ts';
import { parseName, writeName } from './name-text.ts';

/** Most names of a certificate that are looked up among the tenant's consumers, and the longest of them in characters. */
const REFERENCES_MAX = 16;
const REFERENCE_LENGTH_MAX = 256;

/** Who a certificate may stand for. */
export interface ClientNames {
  /** Names to look up among the tenant's consumers, the first that is known counts. */
  readonly references: readonly string[];
  /** Stands for the client where the tenant knows none of its names. */
  readonly unknown: ConsumerIdentity;
}

/** Alternative names first, in the certificate's order, then the common name. */
export function clientNamesOf({ alternativeNames, subject, fingerprint }: CertificateContent): ClientNames {
  const names = [...alternativeNames.map(({ text }) => text), commonNameOf(subject) ?? ''];
  const text = writeName(subject);
  const id = text !== '' && text.length <= REFERENCE_LENGTH_MAX ? text : `sha256:${fingerprint}`;
  return {
    references: names.filter((name) => name !== '' && name.length <= REFERENCE_LENGTH_MAX).slice(0, REFERENCES_MAX),
    unknown: Object.freeze({ id, groups: Object.freeze([]) }),
  };
}

/** The consumer that a certificate stands for now: `disabled` has to be refused. */
export function identify(
  directory: ConsumerDirectory,
  { references, unknown }: ClientNames,
): ConsumerIdentity | 'disabled' {
  for (const reference of references) {
    const consumer = directory.findConsumer(reference);
    if (consumer !== undefined) return consumer;
  }
  return unknown;
}

/** Compiles the constraints on identities: all that are configured have to hold, and the first that does not is told. */
export function compileConstraints(config: Config): (certificate: CertificateContent) => Mismatch | undefined {
  const commonNames = setOf(config.allowed_common_names, (name) => name);
  const subjects = setOf(config.allowed_subjects, (name) => nameKey(parseName(name) ?? []));
  const required = (config.required_sans ?? []).map(parseAlternativeName);
  return ({ subject, alternativeNames }) => {
    const commonName = commonNameOf(subject);
    if (commonNames !== undefined && (commonName === undefined || !commonNames.has(commonName))) return 'common_name';
    if (subjects !== undefined && !subjects.has(nameKey(subject))) return 'subject';
    const present = new Set(alternativeNames.map(({ kind, text }) => alternativeNameKey(kind, text)));
    return required.every((name) => name !== undefined && present.has(name)) ? undefined : 'san';
  };
}

function setOf(names: readonly string[] | undefined, keyOf: (name: string) => string): ReadonlySet<string> | undefined {
  return names === undefined ? undefined : new Set(names.map(keyOf));
}
