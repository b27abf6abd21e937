import { temporaryFolder } from '@portcullis/testkit';
import type { Access, Operation } from '../http/operation.ts';
import { startTestService } from '../testing/test-service.test-support.ts';

/** An operation as the API description shows it. */
export interface DescribedOperation {
  readonly method: Operation['method'];
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly access: Access;
  /** Names of its query parameters. */
  readonly query: readonly string[];
}

interface Described {
  readonly tags: readonly string[];
  readonly summary: string;
  readonly 'x-access': Access;
  readonly parameters: readonly { readonly in?: string; readonly name?: string }[];
}

/** Every operation that a running service describes, in the order of its description. */
export async function describedOperations(): Promise<readonly DescribedOperation[]> {
  await using folder = await temporaryFolder();
  const service = await startTestService(`sqlite:${folder.join('test.db')}`);
  try {
    const { body } = await service.call('GET', '/openapi.json');
    return operationsOf(body as Description);
  } finally {
    await service.stop();
  }
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
}

function operationsOf({ paths }: Description): readonly DescribedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      method: method.toUpperCase() as Operation['method'],
      path,
      tag: described.tags[0] ?? '',
      summary: described.summary,
      access: described['x-access'],
      query: described.parameters.flatMap((parameter) =>
        parameter.in === 'query' && parameter.name !== undefined ? [parameter.name] : [],
      ),
    })),
  );
}
