/** What one request of a load that is spread over routes asks for. */
export interface SpreadTarget {
  readonly path: string;
  /** The host that it names; `undefined` for the one that is connected to. */
  readonly host: string | undefined;
}

/** Routes are asked for in steps of a prime, so that neighbours in the table are not neighbours in time. */
const step = 7919;

/** Host, exact and prefix routes by turns. Source: decisions, 34. */
export function spreadTarget(index: number): SpreadTarget {
  const kind = index % 3;
  if (kind === 0) return { path: `/prefix-${index}/load`, host: undefined };
  return kind === 1
    ? { path: `/exact-${index}`, host: undefined }
    : { path: '/load', host: `host-${index}.bench.test` };
}

/** The route that follows on another. */
export function nextSpread(index: number, routes: number): number {
  return (index + step) % routes;
}

/** A script with which wrk spreads its requests in the same way. */
export function wrkScript(routes: number): string {
  return `local requests = {}
local at = 0
function init()
  for index = 0, ${routes - 1} do
    local kind = index % 3
    local headers = {}
    for name, value in pairs(wrk.headers) do headers[name] = value end
    local path = "/load"
    if kind == 0 then path = "/prefix-" .. index .. "/load" end
    if kind == 1 then path = "/exact-" .. index end
    if kind == 2 then headers["Host"] = "host-" .. index .. ".bench.test" end
    requests[index] = wrk.format("GET", path, headers)
  end
end
function request()
  at = (at + ${step}) % ${routes}
  return requests[at]
end
`;
}
