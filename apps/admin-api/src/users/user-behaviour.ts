import { type FieldProblem, Problem } from '../http/problem.ts';
import type { PasswordHasher } from '../identity/password-hasher.ts';
import type { Principal } from '../identity/principal.ts';
import { endSessionsOf } from '../identity/sessions.ts';
import { tenantRequired } from '../identity/tenant-scope.ts';
import { hasSuperAdministrator, isSuperAdministrator } from '../identity/super-administrators.ts';
import type { FamilyBehaviour } from '../resources/family-behaviour.ts';
import type { ResourceStore, StoredRecord } from '../store/resource-store.ts';
import { without } from '../resources/values.ts';

/**
 * Users keep a hash of their password; nobody gives a role above their own or touches who has one. A deletion, a disabling and a new password end the
 * user's logins. The last super administrator stays: nobody could make another. Source: wire contract, Users, tokens, tenants.
 */
export function createUserBehaviour(passwords: PasswordHasher, store: ResourceStore): FamilyBehaviour {
  return {
    async anticipate({ password }, tenantId) {
      const isFit = typeof password === 'string' && passwords.weaknessOf(password) === undefined;
      return isFit ? { password_hash: await passwords.hash(password, tenantId) } : {};
    },
    async prepare({ principal, tenantId, values, stored, anticipated }) {
      guardSuperAdministrator(principal, stored);
      const { password, role } = values;
      const problems = roleProblems(principal, tenantId, role);
      if (role !== 'super_admin' && tenantId === '' && !stored) throw tenantRequired();
      if (password === undefined && !stored) {
        problems.push({ pointer: '/password', code: 'required', message: 'is required for a new user' });
      }
      const weakness = typeof password === 'string' ? passwords.weaknessOf(password) : undefined;
      if (weakness !== undefined) problems.push({ pointer: '/password', code: 'weak_password', message: weakness });
      if (problems.length > 0) return { ok: false, problems };
      const hash = (password === undefined ? stored?.body : anticipated)?.['password_hash'];
      if (typeof hash !== 'string') throw new TypeError('a password was sent that was not hashed before the write');
      return { ok: true, body: { ...without(values, 'password'), password_hash: hash } };
    },
    async afterWrite({ transaction, principal, before, after }) {
      guardSuperAdministrator(principal, before);
      const isShutOut = after?.enabled !== true || before?.body['password_hash'] !== after.body['password_hash'];
      if (before && isShutOut) await endSessionsOf(transaction, before);
      const isOneLess = isSuperAdministrator(before) && !isSuperAdministrator(after);
      // The write holds the lock of the records outside all tenants, so no other write can take the remaining one away.
      if (isOneLess && !(await hasSuperAdministrator(store, transaction))) {
        throw new Problem('invalid_state', 'the last super administrator must stay');
      }
    },
  };
}

function roleProblems(principal: Principal, tenantId: string, role: unknown): FieldProblem[] {
  if (role === 'super_admin' && !isSuper(principal)) {
    return [{ pointer: '/role', code: 'forbidden', message: 'only a super administrator can give this role' }];
  }
  if (role === 'super_admin' && tenantId !== '') {
    return [{ pointer: '/role', code: 'contradiction', message: 'a super administrator belongs to no tenant' }];
  }
  if (role !== 'super_admin' && tenantId === '') {
    return [{ pointer: '/role', code: 'contradiction', message: 'a user of no tenant is a super administrator' }];
  }
  return [];
}

/**
 * Super administrators are written by their like alone; a token above all tenants, which reaches their records, is none.
 * @throws Problem `forbidden`
 */
function guardSuperAdministrator(principal: Principal, record: StoredRecord | undefined): void {
  if (record?.body['role'] !== 'super_admin' || isSuper(principal)) return;
  throw new Problem('forbidden', 'Only a super administrator may do this');
}

function isSuper(principal: Principal): boolean {
  return principal.kind === 'user' && principal.role === 'super_admin';
}
