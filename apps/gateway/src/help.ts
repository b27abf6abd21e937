/** What `--help` prints. */
export const helpText: string = `portcullis-gateway: carries traffic as the control plane configured it

Usage: portcullis-gateway [--help | --version]

Settings are environment variables:
  PORTCULLIS_CONTROL_PLANE_URL  address of the control plane (required)
  PORTCULLIS_DATA_PLANE_TOKEN   token of this data plane, gwdp_… (required)
  PORTCULLIS_PROXY_HOST         address to listen on for traffic (127.0.0.1)
  PORTCULLIS_PROXY_PORT         port for traffic, 0 takes a free one (8000)
  PORTCULLIS_STATUS_HOST        address to listen on for /health, /ready, /metrics, /config (127.0.0.1)
  PORTCULLIS_STATUS_PORT        port for these, 0 takes a free one (8100)
  PORTCULLIS_CACHE_DIR          folder of the last good configurations, sealed (.portcullis/gateway-cache)
  PORTCULLIS_TRUSTED_PROXIES    comma list of addresses and CIDR ranges whose X-Forwarded-* count (none)
  PORTCULLIS_REFUSED_ADDRESSES  comma list of addresses and CIDR ranges, [:port], that nobody's configuration leads to (none)
  PORTCULLIS_ALLOW_PRIVATE_ADDRESSES  comma list of addresses and CIDR ranges that plugins may call beside public ones (none)
  PORTCULLIS_ENV_ALLOW          variables that env vaults and env:// read, tenant:NAME,NAME;tenant:NAME (none)
  PORTCULLIS_FILE_VAULT_DIR     folder with a folder for each tenant whose file vaults are read (none)
  PORTCULLIS_REDIS_URL          redis:// or rediss:// address where several processes count together (none)
  PORTCULLIS_DNS_SERVERS        comma list of name servers for upstreams, address[:port] (the system's)
  PORTCULLIS_WORKERS            processes that carry traffic (1)
  PORTCULLIS_ACCESS_LOG         off, stdout, or a file, which SIGHUP reopens (off)
  PORTCULLIS_RECORDS_PER_SECOND raw records of requests that each worker reports, 0 to 2000 (500)
  PORTCULLIS_STOP_DELAY_SECONDS how long it goes on, not ready, after a signal to stop (0)
  PORTCULLIS_DRAIN_SECONDS      how long requests in flight may take after that (10)
  PORTCULLIS_OVERLOAD_DELAY_MS  longest turn of the event loop before requests are refused, 0 is never (80)
  PORTCULLIS_REQUESTS_IN_FLIGHT requests under way at a time, more are refused (16384)
  PORTCULLIS_HELD_BODIES_MB     memory for bodies that are held, in each worker, for all requests together (256)
  PORTCULLIS_PLUGIN_PACKAGES    comma list of npm packages, or paths, with plugins of your own (none)
  PORTCULLIS_LOG_DIR            folder with a folder for each tenant whose plugins append to files (none)
  PORTCULLIS_LOG_FILE_MB        size at which such a file is put aside (100)
  PORTCULLIS_LOG_FILES_KEPT     files that were put aside and are kept, of each (5)
  PORTCULLIS_LOG_TENANT_MB      room for all files of a tenant (1024)
  PORTCULLIS_LOG_LEVEL          debug, info, warn, error or silent (info)
`;
