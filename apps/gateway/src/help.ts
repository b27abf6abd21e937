/** What `--help` prints. */
export const helpText: string = `portcullis-gateway: carries traffic as the control plane configured it

Usage: portcullis-gateway [--help | --version]

Settings are environment variables:
  PORTCULLIS_CONTROL_PLANE_URL  address of the control plane (required)
  PORTCULLIS_DATA_PLANE_TOKEN   token of this data plane, gwdp_… (required)
  PORTCULLIS_PROXY_HOST         address to listen on for traffic (127.0.0.1)
  PORTCULLIS_PROXY_PORT         port for traffic, 0 takes a free one (8000)
  PORTCULLIS_STATUS_HOST        address to listen on for /health, /ready, /metrics (127.0.0.1)
  PORTCULLIS_STATUS_PORT        port for these, 0 takes a free one (8100)
  PORTCULLIS_CACHE_DIR          folder of the last good configurations, sealed (.portcullis/gateway-cache)
  PORTCULLIS_TRUSTED_PROXIES    comma list of addresses and CIDR ranges whose X-Forwarded-* count (none)
  PORTCULLIS_LOG_LEVEL          debug, info, warn, error or silent (info)
`;
