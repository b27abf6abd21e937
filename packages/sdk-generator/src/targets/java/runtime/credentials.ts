/** `Credentials.java`: how a client shows who it is. Which schemes there are stands in `Scheme.java`, made for each description. */
export function credentialsText(packageName: string): string {
  return String.raw`package ${packageName}.internal;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What a client shows who it is with. Not for use outside of this library: it may change at any time. */
public final class Credentials {
    private final Map<Scheme, String> secrets = new EnumMap<>(Scheme.class);
    private final Map<Scheme, String> common = new EnumMap<>(Scheme.class);

    /** As it is now: a client does not change with the builder that made it. */
    public Credentials copy() {
        Credentials copy = new Credentials();
        copy.secrets.putAll(common);
        copy.secrets.putAll(secrets);
        return copy;
    }

    public void bearer(String token) {
        all(Scheme.Kind.BEARER, "Bearer " + HeaderValues.checked("the bearer token", token));
    }

    public void basic(String name, String password) {
        if (name.indexOf(':') >= 0) {
            throw new IllegalArgumentException("The name of basic authentication must not have a colon");
        }
        byte[] pair = (name + ":" + password).getBytes(StandardCharsets.UTF_8);
        all(Scheme.Kind.BASIC, "Basic " + Base64.getEncoder().encodeToString(pair));
    }

    /** The key of every scheme that has none of its own. */
    public void apiKey(String key) {
        for (Scheme scheme : Scheme.values()) {
            if (scheme.isApiKey()) {
                common.put(scheme, scheme.checked(key));
            }
        }
    }

    public void apiKey(String schemeKey, String key) {
        for (Scheme scheme : Scheme.values()) {
            if (scheme.isApiKey() && scheme.key().equals(schemeKey)) {
                secrets.put(scheme, scheme.checked(key));
                return;
            }
        }
        throw new IllegalArgumentException("There is no scheme for API keys that is called " + schemeKey);
    }

    /** Adds what the first alternative asks for that everything is there for. Nothing, where there is no such one. */
    void apply(List<List<Scheme>> alternatives, Map<String, String> headers, List<String> query, List<String> cookies) {
        for (List<Scheme> together : alternatives) {
            if (secrets.keySet().containsAll(together)) {
                together.forEach(scheme -> scheme.add(secrets.get(scheme), headers, query, cookies));
                return;
            }
        }
    }

    private void all(Scheme.Kind kind, String secret) {
        for (Scheme scheme : Scheme.values()) {
            if (scheme.kind() == kind) {
                secrets.put(scheme, secret);
            }
        }
    }
}
`;
}
