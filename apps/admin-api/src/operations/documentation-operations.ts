import * as v from 'valibot';
import { openApiDocument } from '../http/open-api.ts';
import type { Operation } from '../http/operation.ts';
import { Problem } from '../http/problem.ts';

/** The files of the page that shows the API description. */
export interface DocumentationAssets {
  /** The text of a file; nothing when there is no such file. */
  read(fileName: string): Promise<{ readonly text: string; readonly contentType: string } | undefined>;
}

/** Only what this service itself serves is loaded, and no script stands in the page. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Portcullis administration API</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
  </head>
  <body>
    <div id="description"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

const startScript = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#description',
  deepLinking: true,
  validatorUrl: null,
  queryConfigEnabled: false,
  persistAuthorization: false,
});
`;

/**
 * The API description and the page that shows it.
 * @param described gives the operations to describe; called once, when the description is first asked for
 */
export function documentationOperations(parts: {
  readonly described: () => readonly Operation[];
  readonly release: string;
  readonly assets: DocumentationAssets;
}): Operation[] {
  let description: string | undefined;
  const describe = (): string => JSON.stringify(openApiDocument(parts.described(), { version: parts.release }));
  return [
    {
      ...common,
      id: 'getApiDescription',
      method: 'GET',
      paths: ['/openapi.json'],
      summary: 'This API in OpenAPI 3.1',
      responses: [{ status: 200, description: 'The description', schema: v.looseObject({ openapi: v.string() }) }],
      async handler() {
        description ??= describe();
        return { status: 200, headers: { 'content-type': 'application/json' }, stream: description };
      },
    },
    {
      ...common,
      id: 'showDocumentation',
      method: 'GET',
      paths: ['/docs'],
      summary: 'A page to read and try this API',
      responses: [{ status: 200, description: 'The page', mediaType: 'text/html' }],
      handler: async () => ({ status: 200, headers: pageHeaders('text/html; charset=utf-8'), stream: page }),
    },
    assetOperation(parts.assets),
  ];
}

const common = { tag: 'Operations', access: 'public' } as const;

function assetOperation(assets: DocumentationAssets): Operation {
  return {
    ...common,
    id: 'getDocumentationFile',
    method: 'GET',
    paths: ['/docs/{file_name}'],
    summary: 'A file of the documentation page',
    responses: [
      { status: 200, description: 'The file', mediaType: 'text/javascript' },
      { status: 200, description: 'The file', mediaType: 'text/css' },
      { status: 404, description: 'No such file' },
    ],
    async handler({ path }) {
      const fileName = path['file_name'] ?? '';
      if (fileName === 'start.js')
        return { status: 200, headers: pageHeaders('text/javascript; charset=utf-8'), stream: startScript };
      const file = await assets.read(fileName);
      if (!file) throw new Problem('not_found', 'No such file');
      return {
        status: 200,
        headers: { ...pageHeaders(file.contentType), 'cache-control': 'public, max-age=3600' },
        stream: file.text,
      };
    },
  };
}

function pageHeaders(contentType: string): Readonly<Record<string, string>> {
  return { 'content-type': contentType, 'content-security-policy': pagePolicy };
}
