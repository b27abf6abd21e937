import type { ProtocolPlace } from './protocol-peers.ts';
import { paths } from './protocol-terms.ts';

/** One worker of nginx with the same ports, paths and upstreams: the text of its configuration file. */
export function nginxProtocols({ port, tlsPort, upstream, folder, files }: ProtocolPlace): string {
  const writable = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `worker_processes 1;
daemon off;
pid ${folder}/nginx.pid;
error_log stderr crit;
events { worker_connections 4096; }
http {
  access_log off;
  keepalive_requests 1000000000;
${writable.map((name) => `  ${name}_temp_path ${folder}/${name};`).join('\n')}
  upstream plain { server 127.0.0.1:${upstream.port}; keepalive 1024; keepalive_requests 1000000000; }
  upstream calls { server 127.0.0.1:${upstream.callsPort}; keepalive 1024; keepalive_requests 1000000000; }
  server {
    listen 127.0.0.1:${port};
    listen 127.0.0.1:${tlsPort} ssl http2;
    ssl_certificate ${files.certificate};
    ssl_certificate_key ${files.key};
    ssl_session_cache shared:bench:1m;
    http2_max_concurrent_streams 1000;
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    location / { proxy_pass http://plain; }
    location ${paths.events} { proxy_pass http://plain; proxy_buffering off; }
    location ${paths.websocket} {
      proxy_pass http://plain;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection "upgrade";
    }
    location ${paths.grpc} { grpc_pass grpc://calls; }
  }
}
`;
}
