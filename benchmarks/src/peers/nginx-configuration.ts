import { apiKey, headerEdits, rateLimit } from './terms.ts';
import type { Mode } from './terms.ts';

/** Where nginx listens and leads to. */
export interface NginxPlace {
  readonly mode: Mode;
  readonly port: number;
  readonly upstreamPort: number;
  /** A folder of its own for everything that it writes. */
  readonly folder: string;
}

/** nginx counts per second: the window's requests spread over it. */
const ratePerSecond = Math.floor(rateLimit.requests / rateLimit.windowSeconds);

/** One worker that does in nginx's own terms what the other peers do: the text of its configuration file. */
export function nginxConfiguration(place: NginxPlace): string {
  const isPlain = place.mode === 'plain';
  const writable = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `worker_processes 1;
daemon off;
pid ${place.folder}/nginx.pid;
error_log stderr crit;
events { worker_connections 4096; }
http {
  access_log off;
  keepalive_requests 1000000000;
${writable.map((name) => `  ${name}_temp_path ${place.folder}/${name};`).join('\n')}
  upstream bench {
    server 127.0.0.1:${place.upstreamPort};
    keepalive 1024;
    keepalive_requests 1000000000;
  }
${isPlain ? '' : policyTerms}  server {
    listen 127.0.0.1:${place.port};
    location / {
      proxy_pass http://bench;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
${isPlain ? '' : policyUse}    }
  }
}
`;
}

const policyTerms = `  map $http_${apiKey.header.replaceAll('-', '_')} $consumer {
    default "";
    "${apiKey.value}" "${apiKey.consumer}";
  }
  limit_req_zone $consumer zone=consumers:1m rate=${ratePerSecond}r/s;
`;

const policyUse = `      if ($consumer = "") { return 401; }
      limit_req zone=consumers burst=1000 nodelay;
      proxy_set_header ${headerEdits.request.set.join(' ')};
      proxy_set_header ${headerEdits.request.remove} "";
      add_header ${headerEdits.response.set.join(' ')};
      proxy_hide_header ${headerEdits.response.remove};
`;
