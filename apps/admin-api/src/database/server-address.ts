/** What the driver makes of an address it would otherwise say much later, and without naming the setting. */
export function isServerAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { username, password, hostname, pathname, searchParams } = new URL(text);
  const hasHost = hostname !== '' || searchParams.has('host');
  return hasHost && [username, password, pathname].every(isDecodable);
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
