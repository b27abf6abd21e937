import type { Outbound } from '@portcullis/plugin-runtime';
import {
  BIND_RESPONSE,
  SEARCH_DONE,
  SEARCH_ENTRY,
  SUCCESS,
  attributesOf,
  resultCodeOf,
  type Attributes,
} from '../protocol/answers.ts';
import { MalformedMessage } from '../protocol/ber.ts';
import { bindRequest, entryRequest } from '../protocol/requests.ts';
import type { LdapConnection } from './ldap-connection.ts';
import { openConnection } from './open-connection.ts';
import type { DirectoryServer } from './server-url.ts';

/** Longest time for everything that one sign-in takes, in milliseconds: below the default time-out of hooks. */
export const SIGN_IN_TIMEOUT_MS = 4500;

/** Who wants in, and what is to be known of whoever got in. */
export interface SignIn {
  /** What the directory knows the user by: a distinguished name. */
  readonly bindName: string;
  /** Not empty: see {@link signIn}. */
  readonly password: string;
  /** Attributes of the user's entry to read; none: nothing is asked. */
  readonly attributes: readonly string[];
}

/** The attributes of who got in; `undefined` for who did not. */
export type SignedIn = Attributes | undefined;

/**
 * Asks a directory whether a password is right, on a connection of its own.
 * @param signal ends it
 * @returns `undefined` when the directory does not accept name and password
 * @throws Error when the directory does not answer as it should, or in time
 * @throws TypeError for an empty password: that would be no proof of anything, and servers answer it with success. Source: RFC 4513, section 5.1.2
 */
export async function signIn(
  server: DirectoryServer,
  outbound: Outbound,
  asked: SignIn,
  signal: AbortSignal,
): Promise<SignedIn> {
  if (asked.password === '') throw new TypeError('an empty password proves nothing');
  const limit = new AbortController();
  const giveUp = (): void => limit.abort(new Error('the sign-in was given up'));
  const timer = setTimeout(() => limit.abort(new Error('the directory takes too long')), SIGN_IN_TIMEOUT_MS);
  signal.addEventListener('abort', giveUp);
  if (signal.aborted) giveUp();
  try {
    const connection = await openConnection(server, outbound, limit.signal);
    try {
      return (await isAccepted(connection, asked)) ? await attributesFor(connection, asked) : undefined;
    } finally {
      connection.close();
    }
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
  }
}

async function isAccepted(connection: LdapConnection, { bindName, password }: SignIn): Promise<boolean> {
  const answer = await connection.ask(bindRequest(bindName, password));
  if (answer.operation !== BIND_RESPONSE) throw new MalformedMessage('a bind was answered with something else');
  const code = resultCodeOf(answer);
  if (code === SUCCESS) return true;
  if (REFUSALS.has(code)) return false;
  throw new Error(`the directory answered a bind with result code ${code}`);
}

/** The user's own entry, read as the user. A directory that shows nothing of it leaves the attributes out. */
async function attributesFor(connection: LdapConnection, { bindName, attributes }: SignIn): Promise<Attributes> {
  if (attributes.length === 0) return NO_ATTRIBUTES;
  let found = NO_ATTRIBUTES;
  let answer = await connection.ask(entryRequest(bindName, attributes, Math.ceil(SIGN_IN_TIMEOUT_MS / 1000)));
  for (; answer.operation !== SEARCH_DONE; answer = await connection.next()) {
    if (answer.operation === SEARCH_ENTRY) found = attributesOf(answer);
  }
  const code = resultCodeOf(answer);
  if (code !== SUCCESS && !HIDDEN.has(code))
    throw new Error(`the directory answered a search with result code ${code}`);
  return found;
}

const NO_ATTRIBUTES: Attributes = new Map();

/**
 * Result codes that say something of the name and the password, and not of the directory. If what one client chooses counted as a
 * failure, that client could close the plugin for all.
 * constraintViolation (locked, by some servers), invalidAttributeSyntax, noSuchObject, invalidDNSyntax, inappropriateAuthentication,
 * invalidCredentials, unwillingToPerform (disabled, by some servers). Source: RFC 4511, appendix A.
 */
const REFUSALS: ReadonlySet<number> = new Set([19, 21, 32, 34, 48, 49, 53]);

/** noSuchObject, insufficientAccessRights. */
const HIDDEN: ReadonlySet<number> = new Set([32, 50]);
