import { OctetString } from 'asn1js';
import { NameConstraints, RelativeDistinguishedNames, type GeneralName, type GeneralSubtree } from 'pkijs';
import type { CertificateContent } from './certificate-content.ts';
import { readName } from './certificate-name.ts';
import { nameKey, TYPES, type DistinguishedName } from './distinguished-name.ts';
import { EXTENSION } from './extension-ids.ts';

/** Most comparisons of a name with a constraint for one certificate below one authority. */
const COMPARISONS_MAX = 5000;

/**
 * Whether all names of a certificate lie within what an authority above it may name. Constraints on kinds of names that are not compared
 * here refuse every certificate with such a name, and so do malformed ones. Source: RFC 5280, section 4.2.1.10.
 */
export function isWithinConstraints(certificate: CertificateContent, authority: CertificateContent): boolean {
  const extension = authority.extensions.get(EXTENSION.nameConstraints);
  if (extension === undefined) return true;
  const { parsedValue } = extension;
  if (!(parsedValue instanceof NameConstraints) || 'parsingError' in parsedValue) return false;
  const { permittedSubtrees: permitted = [], excludedSubtrees: excluded = [] } = parsedValue;
  if ([...permitted, ...excluded].some(hasDistances)) return false;
  const names = namesOf(certificate);
  if (names.length * (permitted.length + excluded.length) > COMPARISONS_MAX) return false;
  return names.every((name) => {
    const isOfKind = ({ base }: GeneralSubtree): boolean => base.type === name.type;
    const limits = permitted.filter(isOfKind).map(({ base }) => isWithin(name, base));
    const bans = excluded.filter(isOfKind).map(({ base }) => isWithin(name, base));
    return !bans.some((ban) => ban !== false) && (limits.length === 0 || limits.includes(true));
  });
}

type Name = Pick<GeneralName, 'type' | 'value'>;

const [EMAIL, DNS, DIRECTORY, URI, IP] = [1, 2, 4, 6, 7];

/** Minimum and maximum have one value only in certificates. */
function hasDistances({ minimum, maximum }: GeneralSubtree): boolean {
  return minimum !== 0 || (maximum !== undefined && maximum !== 0);
}

/** Alternative names and the subject; email addresses of the subject count as alternative names. */
function namesOf({ alternativeNames, subject, parsed }: CertificateContent): readonly Name[] {
  const emails = subject.flat().filter(([type]) => type === TYPES.EMAILADDRESS);
  return [
    ...alternativeNames.map(({ name }) => name),
    ...emails.map(([, value]) => ({ type: EMAIL, value })),
    ...(subject.length === 0 ? [] : [{ type: DIRECTORY, value: parsed.subject }]),
  ] as readonly Name[];
}

/** `undefined`: nobody can say. */
function isWithin({ type, value }: Name, { value: base }: GeneralName): boolean | undefined {
  if (type === DIRECTORY) return isNameWithin(value, base);
  if (type === IP) return isAddressWithin(value, base);
  if (typeof value !== 'string' || typeof base !== 'string') return undefined;
  const [name, tree] = [value.toLowerCase(), base.toLowerCase()];
  if (type === DNS) return isHostWithin(name, tree.startsWith('.') ? tree.slice(1) : tree);
  if (type === EMAIL) return isMailboxWithin(name, tree);
  return type === URI ? isUriWithin(name, tree) : undefined;
}

/** The tree itself and what is below it; the empty tree is everything. */
function isHostWithin(host: string, tree: string): boolean {
  return tree === '' || host === tree || host.endsWith(`.${tree}`);
}

/** A mailbox, all of a host's, or with a leading dot all of the hosts below. */
function isMailboxWithin(mailbox: string, tree: string): boolean | undefined {
  const host = mailbox.slice(mailbox.lastIndexOf('@') + 1);
  if (!mailbox.includes('@')) return undefined;
  if (tree.includes('@')) return mailbox === tree;
  return tree === '' || (tree.startsWith('.') ? host.endsWith(tree) : host === tree);
}

/** By the host of the URI: itself, or with a leading dot what is below. A URI without a host's name cannot be judged. */
function isUriWithin(uri: string, tree: string): boolean | undefined {
  const [, host] = /^[a-z][a-z0-9+.-]*:\/\/(?:[^@/?#]*@)?([^:/?#[\]@]+)/.exec(uri) ?? [];
  if (host === undefined || /^[\d.]+$/.test(host)) return undefined;
  return tree === '' || (tree.startsWith('.') ? host.endsWith(tree) : host === tree);
}

/** The tree is an address with a mask of the same length. */
function isAddressWithin(value: unknown, base: unknown): boolean | undefined {
  if (!(value instanceof OctetString) || !(base instanceof OctetString)) return undefined;
  const [address, tree] = [value.valueBlock.valueHexView, base.valueBlock.valueHexView];
  if (tree.length !== 8 && tree.length !== 32) return undefined;
  if (tree.length !== 2 * address.length) return false;
  const mask = tree.subarray(address.length);
  return address.every((byte, at) => ((byte ^ Number(tree[at])) & Number(mask[at])) === 0);
}

/** The tree is the beginning of the name. */
function isNameWithin(value: unknown, base: unknown): boolean | undefined {
  if (!(value instanceof RelativeDistinguishedNames) || !(base instanceof RelativeDistinguishedNames)) return undefined;
  const [name, tree] = [nameOf(value), nameOf(base)];
  if (name === undefined || tree === undefined) return undefined;
  return nameKey(name.slice(0, tree.length)) === nameKey(tree);
}

/** Reads a name once, however often it is compared. */
function nameOf(value: RelativeDistinguishedNames): DistinguishedName | undefined {
  if (!readNames.has(value)) readNames.set(value, readName(value));
  return readNames.get(value);
}

const readNames = new WeakMap<RelativeDistinguishedNames, DistinguishedName | undefined>();
