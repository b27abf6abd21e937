import { isRedactionMask } from '@portcullis/bundle-diff';
import { bundleFamilies } from '@portcullis/resources';
import { localSecrets } from '../../../../bundle/local-secrets.ts';
import type { LintRule } from '../rule.ts';

/** Fields of plugin configurations that hold secrets, by their names; `…_env` names a variable. */
const secretName = /(?:^|_)(?:secret|password|token|tokens|passphrase|keys?|credentials?|session_ids)$/;
const notSecret = /(?:public|header|cookie|query|cache|hash|group)_keys?$/;

/** Whoever reads the file has them, and whoever reads the repository's history. */
export const secretInPlainText: LintRule = {
  id: 'secret-in-plain-text',
  description: 'A secret stands in the file itself, not in a vault',
  severity: 'error',
  check: ({ records }) =>
    bundleFamilies.flatMap((family) =>
      records(family.bundle.key).flatMap((record) =>
        localSecrets(family, record.values)
          .filter(
            (pointer) =>
              !/^(?:\/plugins\/\d+)?\/config\//.test(pointer) || family.name === 'vaults' || isNamedSecret(pointer),
          )
          .filter((at) => isPlain(valueAt(record.values, at)))
          .map((at) => ({
            record,
            at,
            message: 'is a secret in plain text: refer to a vault, as in vault://prefix/name',
          })),
      ),
    ),
};

/** Every step counts but the numbers of lists: `valid_keys/0` and `valid_keys/0/key`. */
function isNamedSecret(pointer: string): boolean {
  const names = pointer.split('/').filter((step) => !/^\d+$/.test(step));
  return (
    names.slice(2).some((name) => secretName.test(name) && !notSecret.test(name)) ||
    /\/allowed_users\/\d+\/password$/.test(pointer)
  );
}

function isPlain(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && !isRedactionMask(value) && !value.startsWith('vault://');
}

function valueAt(values: unknown, pointer: string): unknown {
  let value = values;
  for (const step of pointer.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    value = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  }
  return value;
}
