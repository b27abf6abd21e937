import * as v from 'valibot';
import type { Operation } from '../http/operation.ts';
import { actorOf } from '../resources/actor.ts';
import { toTimestamp } from '../resources/record-view.ts';
import { rotateSigningKeys, type RotationParts } from './rotate-signing-keys.ts';

const rotationBody = v.pipe(
  v.strictObject({
    revoke_previous: v.optional(
      v.pipe(
        v.boolean(),
        v.description(
          'For a key that leaked: every access token is refused at once, and whoever is logged in has to refresh',
        ),
      ),
      false,
    ),
  }),
  v.title('SigningKeyRotation'),
);

const keysBody = v.pipe(
  v.object({
    keys: v.array(
      v.object({
        kid: v.string(),
        created_at: v.pipe(v.string(), v.isoTimestamp()),
        retired_at: v.nullable(v.pipe(v.string(), v.isoTimestamp(), v.description('It verifies until then'))),
      }),
    ),
  }),
  v.title('SigningKeys'),
);

/** Rotation by hand. The service rotates by age of its own accord. Source: security, kid, rotation. */
export function rotateSigningKeysOperation(parts: RotationParts): Operation {
  return {
    id: 'rotateSigningKeys',
    method: 'POST',
    paths: ['/admin/signing-keys/rotate'],
    tag: 'Authentication',
    summary: 'Sign access tokens with a new key',
    access: 'super_admin',
    body: { schema: rotationBody, optional: true },
    responses: [{ status: 200, description: 'The keys that verify, oldest first', schema: keysBody }],
    async handler({ principal, body, request }) {
      const { revoke_previous: revokePrevious = false } = (body ?? {}) as v.InferInput<typeof rotationBody>;
      const keys = await rotateSigningKeys(parts, actorOf(principal, request), { revokePrevious });
      const shown = keys.map(({ kid, created_at: createdAtMs, retired_at: retiredAtMs }) => ({
        kid,
        created_at: toTimestamp(createdAtMs),
        retired_at: retiredAtMs === null ? null : toTimestamp(retiredAtMs),
      }));
      return { status: 200, body: { keys: shown } };
    },
  };
}
