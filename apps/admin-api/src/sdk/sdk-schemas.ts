import { maxCharacters } from '@portcullis/resources';
import { sdkTargets } from '@portcullis/sdk-generator';
import * as v from 'valibot';

/** What an SDK is made for. */
export const sdkRequestSchema = v.pipe(
  v.strictObject({
    tenant_id: v.optional(v.pipe(v.string(), maxCharacters(128), v.description('The tenant, also in the query'))),
    target: v.pipe(v.picklist(sdkTargets), v.description('Language, and what it calls with')),
    package_name: v.optional(
      v.pipe(
        v.string(),
        maxCharacters(256),
        v.description(
          "Name of the package, as the target's ecosystem takes it: `petstore-client`, `example.com/acme/petstore`. Made of the title where it is absent",
        ),
      ),
    ),
  }),
  v.title('SdkExportRequest'),
);

/** What a caller sends. */
export type SdkRequestBody = v.InferOutput<typeof sdkRequestSchema>;

/** An archive, and all that tells whether it arrived whole. Source: wire contract, AI records, integrations, SDKs. */
export const sdkResultSchema: v.GenericSchema = v.pipe(
  v.object({
    file_name: v.pipe(v.string(), v.description('For a file system: without folders')),
    media_type: v.literal('application/zip'),
    size_bytes: v.pipe(v.number(), v.integer(), v.description('Of the archive')),
    checksum_sha256: v.pipe(v.string(), v.description('Of the archive, lower-case hex')),
    content_base64: v.pipe(v.string(), v.description('The archive')),
    target: v.picklist(sdkTargets),
    package_name: v.string(),
    generator_version: v.pipe(
      v.string(),
      v.description('The same version makes the same bytes of the same description'),
    ),
    warnings: v.pipe(
      v.array(v.object({ pointer: v.string(), message: v.string() })),
      v.description('What the library has in another form than the description, with the places in it'),
    ),
  }),
  v.title('SdkExport'),
);
