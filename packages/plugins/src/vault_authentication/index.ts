import { secretFailure, type PluginHooks, type RequestEdits } from '@portcullis/plugin-runtime';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import { headerEdits } from '../shared/header-edits.ts';
import { config, type Config } from './config.ts';
import { credentialMaker } from './credential.ts';

/** Authenticates requests to the upstream with a secret of a vault. */
export const vaultAuthentication: BuiltIn = builtIn({
  name: 'vault_authentication',
  version: '1.0.0',
  category: 'authentication',
  triggers: ['before_request'],
  description: 'Authenticates the gateway to the upstream with a secret that a vault keeps',
  config,
  credentialHeaders: ({ header_name: header }) => [header],
  setup(given, { secrets, log }): PluginHooks {
    const { secret_ref: secretRef, username_ref: usernameRef, username = '' } = given;
    const edits = credentialEdits(given);
    const bare = Object.freeze({ headers: edits.removals });
    let isFailing = false;
    const proceed = (secret: string, name: string): RequestEdits => {
      const withCredential = edits.with(secret, name);
      isFailing = false;
      return withCredential;
    };
    const fail = (error: unknown): RequestEdits => {
      if (!given.fail_open) throw error;
      const code = secretFailure(error) ?? 'unfit';
      if (!isFailing) log.warn('the credential for the upstream cannot be had: requests go on without it', { code });
      isFailing = true;
      return bare;
    };
    // A failure that is known at once becomes one that is waited for, so that none of two reads is left alone.
    const read = (reference: string): string | Promise<string> => {
      try {
        return secrets.read(reference);
      } catch (error) {
        return Promise.reject(error);
      }
    };
    return {
      request() {
        const secret = read(secretRef);
        const name = usernameRef === undefined ? username : read(usernameRef);
        if (typeof secret !== 'string' || typeof name !== 'string') {
          return Promise.all([secret, name])
            .then(([readSecret, readName]) => proceed(readSecret, readName))
            .catch(fail);
        }
        try {
          return proceed(secret, name);
        } catch (error) {
          return fail(error);
        }
      },
    };
  },
});

interface CredentialEdits {
  /** Without a credential: what the client sent under those names is gone all the same. */
  readonly removals: NonNullable<RequestEdits['headers']>;
  /** @throws Error for a secret that cannot be sent */
  with(secret: string, username: string): RequestEdits;
}

/** Makes the edits once for each value of the secret: as long as it stays, a request costs a comparison. */
function credentialEdits(given: Config): CredentialEdits {
  const { header_name: header, resolved_reference_header: told, secret_ref: reference } = given;
  const make = credentialMaker(given);
  let known: { readonly secret: string; readonly username: string; readonly edits: RequestEdits } | undefined;
  return {
    removals: headerEdits({ remove: told === undefined ? [header] : [header, told] }),
    with(secret, username) {
      if (known?.secret !== secret || known.username !== username) {
        const set = { [header]: make(secret, username), ...(told !== undefined && { [told]: reference }) };
        known = { secret, username, edits: Object.freeze({ headers: headerEdits({ set }) }) };
      }
      return known.edits;
    },
  };
}
