import { createServer as createHttpServer } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server } from 'node:net';

/** Servers that take records and count them. */
export interface SoakSinks extends AsyncDisposable {
  readonly httpUrl: string;
  readonly tcpPort: number;
  /** Records that have come, by the way they came. */
  readonly counts: { http: number; tcp: number };
}

/** Starts them on loopback. */
export async function startSoakSinks(): Promise<SoakSinks> {
  const counts = { http: 0, tcp: 0 };
  const http = createHttpServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const records: unknown = JSON.parse(Buffer.concat(pieces).toString());
      counts.http += Array.isArray(records) ? records.length : 1;
      response.end();
    });
  });
  const tcp = createTcpServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.on('data', (bytes) => {
      for (const byte of bytes) if (byte === LINE_FEED) counts.tcp += 1;
    });
  });
  const [httpPort, tcpPort] = [await listen(http), await listen(tcp)];
  return {
    httpUrl: `http://127.0.0.1:${httpPort}/records`,
    tcpPort,
    counts,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      await Promise.all([close(http), close(tcp)]);
    },
  };
}

const LINE_FEED = 0x0a;

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
