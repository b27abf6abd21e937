import type { AiOperation } from '../../operation.ts';
import type { ProviderType } from '../provider.ts';

/** A header of a client that a vendor reads, and what may stand in it. */
interface VendorHeader {
  readonly name: string;
  readonly types: readonly ProviderType[];
  readonly operations: readonly AiOperation[];
  readonly form: RegExp;
}

/** All others stay here: clients have no say in what the operator's key is sent with. Source: Anthropic, Beta headers and Versions; OpenAI, API reference. */
const vendorHeaders: readonly VendorHeader[] = [
  {
    name: 'anthropic-beta',
    types: ['anthropic'],
    operations: ['messages'],
    form: /^[a-z0-9][a-z0-9-]{0,63}(?:, ?[a-z0-9][a-z0-9-]{0,63}){0,15}$/,
  },
  { name: 'anthropic-version', types: ['anthropic'], operations: ['messages'], form: /^\d{4}-\d{2}-\d{2}$/ },
  {
    name: 'openai-beta',
    types: ['openai', 'azure_openai'],
    operations: ['chat', 'completions', 'embeddings', 'responses'],
    form: /^[a-z0-9][a-z0-9_-]{0,63}=v\d{1,3}(?:, ?[a-z0-9][a-z0-9_-]{0,63}=v\d{1,3}){0,7}$/,
  },
];

/** Names of headers that may go on, in lower case, for an operation. */
export function vendorHeaderNames(operation: AiOperation): readonly string[] {
  return namesByOperation.get(operation) ?? [];
}

const operations: readonly AiOperation[] = ['chat', 'completions', 'embeddings', 'responses', 'messages'];
const namesByOperation: ReadonlyMap<AiOperation, readonly string[]> = new Map(
  operations.map((operation) => [
    operation,
    vendorHeaders.filter((header) => header.operations.includes(operation)).map(({ name }) => name),
  ]),
);

/**
 * The client's headers that go on to a provider of a type.
 * @param given name and value by turns, names in lower case
 * @returns the same form; what is not known, or not written as its vendor writes it, is left out
 */
export function headersForVendor(
  type: ProviderType,
  operation: AiOperation,
  given: readonly string[],
): readonly string[] {
  const kept: string[] = [];
  for (let at = 0; at + 1 < given.length; at += 2) {
    const [name = '', value = ''] = [given[at], given[at + 1]];
    const known = vendorHeaders.find((header) => header.name === name);
    if (known === undefined || !known.types.includes(type) || !known.operations.includes(operation)) continue;
    if (known.form.test(value)) kept.push(name, value);
  }
  return kept;
}

/** A copy of headers in which those of others take the place of the same ones. */
export function withHeaders(headers: readonly string[], others: readonly string[]): readonly string[] {
  if (others.length === 0) return headers;
  const merged: string[] = [];
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const [name = '', value = ''] = [headers[at], headers[at + 1]];
    const isReplaced = others.some((other, place) => place % 2 === 0 && other === name);
    if (!isReplaced) merged.push(name, value);
  }
  return [...merged, ...others];
}
