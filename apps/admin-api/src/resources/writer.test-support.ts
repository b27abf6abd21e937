import { uuidv7 } from 'uuidv7';
import { createAuditLog } from '../audits/records/audit-log.ts';
import { gatewayOfChange } from '../data-planes/gateway-revision.ts';
import type { Database } from '../database/database.ts';
import { createRevisions } from '../revisions/revisions.ts';
import { parseKeyRing } from '../secrets/key-ring.ts';
import { createSecretBox } from '../secrets/secret-box.ts';
import { createResourceStore } from '../store/create-resource-store.ts';
import type { ResourceStore } from '../store/resource-store.ts';
import { secretKeys } from '../testing/test-service.test-support.ts';
import type { Actor } from './actor.ts';
import type { FamilyBehaviour } from './family-behaviour.ts';
import { createRecordWriter } from './record-writer.ts';
import type { RecordWriter } from './record-writer.ts';
import type { WriteParts } from './write-parts.ts';
import { inWriteSession } from './write-session.ts';
import type { WriteSession, WriteSessionParts } from './write-session.ts';

/** A super administrator without a tenant. */
export const someActor: Actor = {
  principal: { kind: 'user', id: 'root', username: 'root', role: 'super_admin', tenantId: undefined, sessionId: 's' },
  id: 'root',
  username: 'root',
  requestId: 'request',
  sourceIp: '127.0.0.1',
};

/** The writer over a real database, with behaviours of the test's own. */
export interface WriterWorld {
  readonly store: ResourceStore;
  readonly writer: RecordWriter;
  readonly parts: WriteSessionParts;
  /** What the writer is made of. */
  readonly writeParts: WriteParts;
  /** Runs work in a write session of a tenant. */
  write<Result>(tenantId: string, work: (session: WriteSession) => Promise<Result>): Promise<Result>;
}

/** Makes it. @throws Error when the test key ring is not one */
export function createWriterWorld(database: Database, behaviours: Record<string, FamilyBehaviour>): WriterWorld {
  const keys = parseKeyRing(secretKeys);
  if (!keys.ok) throw new Error('the test key ring is none');
  const clock = { nowMs: Date.now };
  const parts: WriteSessionParts = {
    database,
    audit: createAuditLog({ ids: uuidv7, clock }),
    revisions: createRevisions({ clock, database, gatewayOf: gatewayOfChange }),
  };
  const store = createResourceStore();
  const writeParts: WriteParts = {
    store,
    secrets: createSecretBox({ keyRing: keys.keyRing, database, clock }),
    behaviours: new Map(Object.entries(behaviours)),
    nowMs: Date.now,
    newId: uuidv7,
  };
  return {
    store,
    writer: createRecordWriter(writeParts),
    parts,
    writeParts,
    write: async (tenantId, work) => (await inWriteSession(parts, tenantId, someActor, work)).result,
  };
}
