/**
 * The upstream that every peer proxies to: 128 bytes, or the headers that arrived. Prints its port.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerBytes, echoPath, headerEdits } from './terms.ts';

const answer = Buffer.alloc(answerBytes, 'x');
const head = [
  headerEdits.response.remove,
  'to be removed',
  'content-type',
  'text/plain',
  'content-length',
  `${answerBytes}`,
];

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  if (request.url === echoPath) {
    const text = JSON.stringify(request.headers);
    response.writeHead(200, { [headerEdits.response.remove]: 'to be removed', 'content-type': 'application/json' });
    response.end(text);
    return;
  }
  response.writeHead(200, head);
  response.end(answer);
});

server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
process.once('SIGTERM', () => process.exit(0));
