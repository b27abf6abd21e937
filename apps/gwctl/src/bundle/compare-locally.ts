import {
  diffBundles,
  isRedactionMask,
  joinProblems,
  renderProblems,
  resolveBundle,
  validateBundle,
} from '@portcullis/bundle-diff';
import type { BundleDescriptor, BundleState, ResolvedBundle } from '@portcullis/bundle-diff';
import { CommandFailure } from '../failure.ts';
import type { DiffAnswer } from './bundle-answers.ts';
import { localDescriptor } from './local-descriptor.ts';
import { checkTenant, givenIds } from './read-bundle.ts';
import type { BundleInput } from './read-bundle.ts';

/**
 * Compares a bundle with another one, say an export, as the control plane compares it with the live state: without any
 * server. References may lead to what neither of the two holds. Strict makes that a mistake for services and upstreams.
 * @throws CommandFailure when the other one is no valid state, or of another tenant
 */
export function compareLocally(input: BundleInput, current: BundleInput, options: { strict: boolean }): DiffAnswer {
  const tenantId = tenantOf(current);
  checkTenant(input, tenantId);
  const descriptor = localDescriptor();
  const live = stateOf(current, input, descriptor);
  const { document } = input;
  const validated = validateBundle(document, descriptor, { strict: options.strict, live });
  const resolved = resolveBundle(document, descriptor, live, { newId: counter('new'), outside: 'keep' });
  return {
    tenant_id: tenantId ?? '',
    ...diffBundles(live, resolved.desired, descriptor),
    warnings: validated.warnings,
    errors: joinProblems(validated.errors, resolved.errors),
  };
}

/**
 * A bundle as if it were live. A mask in it says that there is a secret and not which: as of a live record whose secret no
 * read shows, the field is left out, so that a mask or nothing at its place means the same secret. Where it has no IDs, its
 * records have those that the other bundle gives to records of the same name.
 */
function stateOf(current: BundleInput, input: BundleInput, descriptor: BundleDescriptor): BundleState {
  const collections = descriptor.collections.map((given) => {
    const { secretsOf: _secrets, requiredWhenNew: _required, ...collection } = given;
    return { ...collection, immutable: [] };
  });
  const resolve = (bundle: BundleInput, known: BundleState, prefix: string): ResolvedBundle =>
    resolveBundle(bundle.document, { collections }, known, { newId: counter(prefix), outside: 'keep' });
  const ids = givenIds(input);
  const named = givenIds(current).size > 0 ? {} : onlyWithIds(resolve(input, {}, 'unnamed').desired, ids);
  const { desired, errors } = resolve(current, named, 'current');
  if (errors.length === 0) return withoutMasks(desired) as BundleState;
  const lines = renderProblems(errors, { level: 'error', placeOf: current.placeOf });
  throw new CommandFailure(`${current.label} is not a valid state to compare with`, lines);
}

function onlyWithIds(state: BundleState, ids: ReadonlySet<string>): BundleState {
  const lists = Object.entries(state).map(([key, records]) => [key, records.filter(({ id }) => ids.has(String(id)))]);
  return Object.fromEntries(lists) as BundleState;
}

function withoutMasks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMasks);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([, inner]) => !isRedactionMask(inner));
  return Object.fromEntries(fields.map(([name, inner]) => [name, withoutMasks(inner)]));
}

function tenantOf({ document }: BundleInput): string | undefined {
  const said = (document as { readonly tenant_id?: unknown } | null)?.tenant_id;
  return typeof said === 'string' ? said : undefined;
}

/** Digits of a made-up ID: the next one sorts after the one before. */
const idDigits = 9;

function counter(prefix: string): () => string {
  let made = 0;
  return () => `${prefix}-${String((made += 1)).padStart(idDigits, '0')}`;
}
