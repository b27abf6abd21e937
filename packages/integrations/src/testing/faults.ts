import type { Fault } from './fake-system.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

/** A failure, with what systems say in its head. */
export function failing(status: number, headers: Readonly<Record<string, string>> = {}): Fault {
  return (_request, response) => {
    response.writeHead(status, { ...JSON_TYPE, ...headers }).end('{"error":"what a system says of a failure"}');
  };
}

/** The connection is taken, and nothing comes. */
export function silent(): Fault {
  return () => undefined;
}

/** A head and some of the body come, and then nothing. */
export function stalling(): Fault {
  return (_request, response) => {
    response.writeHead(200, JSON_TYPE).write('{"begun":');
  };
}

/** The body breaks off. */
export function cut(): Fault {
  return (_request, response) => {
    response.writeHead(200, { ...JSON_TYPE, 'content-length': '1000' });
    response.write('{"begun":', () => response.destroy());
  };
}

/** A page for people, with status 200: portals, log-ins, instances that sleep. */
export function html(): Fault {
  return (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html><body>Log in</body></html>');
  };
}

/** Any text under the type of JSON. */
export function saying(text: string): Fault {
  return (_request, response) => {
    response.writeHead(200, JSON_TYPE).end(text);
  };
}

/** A body without an end, in chunks of 64 KiB, as fast as it is taken. @param onClose called with the bytes that went out */
export function endless(onClose: (bytes: number) => void = () => undefined): Fault {
  const chunk = ' '.repeat(65_536);
  return (_request, response) => {
    let bytes = 0;
    const send = (): void => {
      while (!response.destroyed && response.write(chunk)) bytes += chunk.length;
      bytes += chunk.length;
    };
    response.on('drain', send).on('close', () => onClose(bytes));
    response.writeHead(200, JSON_TYPE);
    send();
  };
}

/** An answer that leads elsewhere. */
export function redirecting(location: string, status = 302): Fault {
  return (_request, response) => {
    response.writeHead(status, { location }).end();
  };
}
