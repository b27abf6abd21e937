import type { FetchPort } from '@portcullis/admin-client';
import { printMessage } from '../output/messages.ts';

/** A fetch that says on standard error what it does (`--verbose`): never a header of the request, never a body. */
export function tracedFetch(send: FetchPort): FetchPort {
  return async (request) => {
    const begin = performance.now();
    const afterMs = (): string => `${(performance.now() - begin).toFixed(0)} ms`;
    printMessage(`> ${request.method} ${request.url}`);
    try {
      const response = await send(request);
      const requestId = response.headers.get('x-request-id') ?? request.headers.get('x-request-id') ?? '-';
      printMessage(`< ${response.status} after ${afterMs()}, request ID ${requestId}`);
      return response;
    } catch (error) {
      printMessage(`< no answer after ${afterMs()}, request ID ${request.headers.get('x-request-id') ?? '-'}`);
      throw error;
    }
  };
}
