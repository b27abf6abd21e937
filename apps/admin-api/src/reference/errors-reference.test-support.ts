import { preconditionFailedStatus, problemStatuses } from '../http/problem.ts';
import type { ProblemCode } from '../http/problem.ts';
import { generatedNote, markdownTable } from './markdown.test-support.ts';

/** What each code tells a caller, and what to do about it. */
const meanings: Readonly<Record<ProblemCode, string>> = {
  malformed_body: 'The body is missing, or is no JSON or YAML; `detail` names line and column',
  malformed_request: 'What arrived is no HTTP request that can be read',
  tenant_required: 'The caller has no tenant of its own and named none: give `tenant_id`',
  tenant_mismatch: '`tenant_id` of the query and of the body differ',
  invalid_parameter: 'A query parameter or header is malformed, unknown on a write, or given twice',
  unauthenticated: 'The credential is missing, expired, revoked, of an inactive tenant, or of the wrong kind',
  forbidden: 'The role or scope does not allow this',
  cross_tenant: 'The tenant that was named is not the caller’s, or does not exist',
  not_found: 'There is no such path or record, or the record is another tenant’s',
  method_not_allowed: 'The path takes other methods: see `Allow`',
  request_timeout: 'The body arrived too slowly',
  name_exists: 'Another record has this ID, name or other unique value',
  referenced_by_others: 'Other records refer to the one to be deleted; `detail` names them',
  invalid_state: 'The record is in a state that does not allow this',
  revision_conflict:
    'The configuration moved on since `expected_revision`; as 412: the record is at another revision than `If-Match` says',
  body_too_large: 'The body is larger than the operation takes',
  unsupported_media_type: 'The body has another media type or encoding than the operation takes',
  validation_failed: 'Fields are invalid; `errors` lists all of them',
  reference_not_found: 'A field names a record that does not exist in the tenant',
  secret_required: 'A secret is masked where there is no stored one to keep',
  idempotency_key_reused: 'The `Idempotency-Key` was used for another request',
  quota_exceeded: 'A number that is limited for the tenant is used up',
  rate_limited: 'Too many of these at once: wait as long as `Retry-After` says',
  headers_too_large: 'The request’s headers are too large',
  internal: 'A mistake of the service; its log knows the `request_id`',
  unavailable: 'A part of the service cannot be reached: try again after `Retry-After`',
};

/** docs/reference/errors.md: every code that an error may carry. */
export function errorsReference(): string {
  const codes = (Object.entries(problemStatuses) as [ProblemCode, number][]).toSorted(
    ([left, status], [right, other]) => status - other || left.localeCompare(right),
  );
  return `${generatedNote}

# Errors

Every error is a problem document (RFC 9457, \`application/problem+json\`) and carries \`X-Request-ID\`. Programs decide by \`code\`;
\`detail\` is for people and may change. \`type\` is \`https://portcullis.dev/problems/\` and the code with hyphens.

\`\`\`json
{
  "type": "https://portcullis.dev/problems/validation-failed",
  "title": "Validation failed",
  "status": 422,
  "detail": "1 field is invalid",
  "code": "validation_failed",
  "request_id": "0199f7a2-3c54-7d10-9b1e-5f8a4c2e6d70",
  "errors": [{ "pointer": "/retries", "code": "max_value", "message": "must be at most 32767" }]
}
\`\`\`

All mistakes of a body are listed at once, each with a JSON Pointer into it; \`"in": "query"\` marks one of a query parameter. No
error repeats a value that was sent. The \`code\` of a mistake is \`unknown_field\`, \`required\`, \`type\`, \`one_of\`, \`min_length\`,
\`max_length\`, \`min_value\`, \`max_value\`, \`integer\` or, for any other form that a value must have, \`format\`; or it names the rule
that several fields or records make: \`read_only\`, \`immutable\`, \`exists\`, \`contradiction\`, \`reference_not_found\`, \`secret_required\`
and further ones that single families have.

${markdownTable(
  ['status', 'code', 'meaning'],
  codes.map(([code, status]) => [
    code === 'revision_conflict' ? `${status}, ${preconditionFailedStatus}` : String(status),
    `\`${code}\``,
    meanings[code],
  ]),
)}
`;
}
