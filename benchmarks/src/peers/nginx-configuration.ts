import type { PeerPlace } from './listening-peer.ts';
import { apiKey, headerEdits, rateLimit } from './terms.ts';
import type { Mode } from './terms.ts';

/** What nginx has to do, and where. */
export interface NginxPlace extends PeerPlace {
  readonly mode: Mode;
}

/** nginx counts per second: the window's requests spread over it. */
const ratePerSecond = Math.floor(rateLimit.requests / rateLimit.windowSeconds);

/** One worker that does in nginx's own terms what the other peers do: the text of its configuration file. */
export function nginxConfiguration(place: NginxPlace): string {
  const isPlain = place.mode === 'plain';
  return configurationOf(place, '', isPlain ? '' : policyTerms, isPlain ? '' : policyUse);
}

/** The same with the policies in Lua. */
export function luaConfiguration(place: NginxPlace): string {
  const load = luaModules.map((file) => `load_module ${file};\n`).join('');
  return configurationOf(place, load, luaTerms, luaUse);
}

function configurationOf(place: PeerPlace, load: string, terms: string, use: string): string {
  const writable = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `${load}worker_processes 1;
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
${terms}  server {
    listen 127.0.0.1:${place.port};
    location / {
      proxy_pass http://bench;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
${use}    }
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

/** Where Debian puts the modules that nginx with Lua needs. */
export const luaModules: readonly string[] = ['ndk_http_module.so', 'ngx_http_lua_module.so'].map(
  (file) => `/usr/lib/nginx/modules/${file}`,
);

const luaTerms = `  lua_package_path "/usr/share/lua/5.1/?.lua;;";
  lua_shared_dict windows 1m;
  init_by_lua_block { consumers = { ["${apiKey.value}"] = "${apiKey.consumer}" } }
`;

const luaUse = `      access_by_lua_block {
        local consumer = consumers[ngx.var.http_${apiKey.header.replaceAll('-', '_')} or ""]
        if not consumer then return ngx.exit(401) end
        local window = math.floor(ngx.now() / ${rateLimit.windowSeconds})
        local used = ngx.shared.windows:incr(consumer .. window, 1, 0, ${2 * rateLimit.windowSeconds})
        if used > ${rateLimit.requests} then return ngx.exit(429) end
        ngx.ctx.left = ${rateLimit.requests} - used
        ngx.req.set_header("${headerEdits.request.set[0]}", "${headerEdits.request.set[1]}")
        ngx.req.clear_header("${headerEdits.request.remove}")
      }
      header_filter_by_lua_block {
        ngx.header["${headerEdits.response.set[0]}"] = "${headerEdits.response.set[1]}"
        ngx.header["${headerEdits.response.remove}"] = nil
        ngx.header["ratelimit-limit"] = ${rateLimit.requests}
        ngx.header["ratelimit-remaining"] = ngx.ctx.left
      }
`;
