import * as v from 'valibot';
import type { Family } from '../family.ts';
import * as field from '../fields.ts';

/** Bytes of a body with an OpenAPI description. Source: decisions, 15. */
const bytesMax = 16_777_216;

/** What is known of a description without reading it again. */
const document = v.pipe(
  v.object({
    openapi: v.pipe(v.picklist(['3.0', '3.1', '3.2']), v.description('Version of the specification')),
    title: v.string(),
    api_version: v.pipe(v.string(), v.description('`info.version`')),
    operations: v.pipe(v.number(), v.integer(), v.description('How many operations it has')),
    size_bytes: v.pipe(v.number(), v.integer(), v.description('Of its JSON without white space, in UTF-8')),
    sha256: v.pipe(v.string(), v.description('Of the same bytes, lower-case hex')),
  }),
  v.description('What is known of the description: lists show this in place of it'),
);

/** Versions of a service with the description of each. Source: wire contract, AI records, integrations, SDKs. */
export const serviceVersions: Family = {
  name: 'service-versions',
  singular: 'service_version',
  summary:
    'Service versions: the OpenAPI description of an API as it was at a version, of which client libraries are made',
  scope: 'gateway',
  access: { read: 'read', write: 'write' },
  fields: {
    version: v.pipe(field.name, v.description('Unique within the service; paths take it in place of the ID')),
    description: field.description,
    labels: field.labels,
    service_id: v.optional(
      v.pipe(
        field.reference,
        v.metadata({ 'x-immutable': true }),
        v.description('The service of the path; a body may repeat it'),
      ),
    ),
    spec: v.optional(
      v.pipe(
        v.union([v.record(v.string(), v.unknown()), v.string()], 'must be an object or a text'),
        v.description(
          'OpenAPI 3.0, 3.1 or 3.2 description: an object, or JSON or YAML as a text. Required for a new version; a change of it takes its place as a whole. References that lead out of it are refused. Lists leave it out',
        ),
      ),
    ),
  },
  readOnlyFields: { document },
  references: [{ field: 'service_id', family: 'services', nameScope: 'gateway', whenTargetIsDeleted: 'cascade' }],
  keys: [{ name: 'version', fields: ['version'], scope: { field: 'service_id' }, addressable: true }],
  collectionPaths: ['/admin/gateways/{gateway_id}/services/{service_id}/versions'],
  parent: { field: 'service_id', parameter: 'service_id' },
  parameter: 'version_id',
  documents: { fields: ['spec'], bytesMax },
  filters: ['version'],
  methods: ['POST', 'PATCH', 'DELETE'],
  // The command line's entities are a closed list. Source: spec, Operator command-line tool.
  isEntity: false,
  deliveredToGateways: false,
};
