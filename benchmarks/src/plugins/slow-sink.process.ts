/** Takes records over HTTP and answers late, so that a log plugin cannot get rid of all of them. Prints its port. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const answerMs = Number(process.argv[2] ?? 0);

const server = createServer((request, response) => {
  request.resume();
  request.once('end', () => setTimeout(() => response.end(), answerMs));
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
process.once('SIGTERM', () => process.exit(0));
