/**
 * Lua: `bounds(span, now)`, beginning and end of the window that a moment is in; `span` is a length in milliseconds, `month` or `year`, in UTC.
 * Years begin in March here, so that the leap day is a year's last. Source: Howard Hinnant, chrono-compatible low-level date algorithms.
 */
export const CALENDAR_LUA = `
local floor = math.floor

local function yearAndMonth(day)
  day = day + 719468
  local era = floor(day / 146097)
  local ofEra = day - era * 146097
  local year = floor((ofEra - floor(ofEra / 1460) + floor(ofEra / 36524) - floor(ofEra / 146096)) / 365)
  local ofYear = ofEra - (365 * year + floor(year / 4) - floor(year / 100))
  local month = floor((5 * ofYear + 2) / 153)
  if month < 10 then return year + era * 400, month + 3 end
  return year + era * 400 + 1, month - 9
end

local function startOf(year, month)
  if month > 12 then year, month = year + 1, month - 12 end
  if month <= 2 then year, month = year - 1, month + 12 end
  local era = floor(year / 400)
  local ofEra = year - era * 400
  local day = ofEra * 365 + floor(ofEra / 4) - floor(ofEra / 100) + floor((153 * (month - 3) + 2) / 5)
  return (era * 146097 + day - 719468) * 86400000
end

local function bounds(span, now)
  if span == 'month' or span == 'year' then
    local year, month = yearAndMonth(floor(now / 86400000))
    if span == 'year' then return startOf(year, 1), startOf(year + 1, 1) end
    return startOf(year, month), startOf(year, month + 1)
  end
  local length = tonumber(span)
  local start = floor(now / length) * length
  return start, start + length
end
`;
