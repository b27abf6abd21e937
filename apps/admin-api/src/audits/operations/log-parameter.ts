import type { QueryParameter } from '../../http/operation.ts';
import { textParameter } from '../../http/query-parameters.ts';

/** Whose log an operation is about; see `askedLog`. */
export const logParameter: QueryParameter = textParameter(
  'tenant_id',
  "The tenant whose log it is. Without it a super administrator's request is about the log over all tenants; anyone else may " +
    'only name the own.',
  128,
);
