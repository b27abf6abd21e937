/** `ParameterStyle.java`: how values stand in addresses, headers and forms. */
export function parameterStyleText(packageName: string): string {
  return String.raw`package ${packageName}.internal;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** How values stand in addresses, headers and forms. Not for use outside of this library: it may change at any time. */
public enum ParameterStyle {
    SIMPLE(","),
    FORM(","),
    SPACE_DELIMITED("%20"),
    PIPE_DELIMITED("%7C"),
    DEEP_OBJECT(","),
    JSON(",");

    private final String separator;

    ParameterStyle(String separator) {
        this.separator = separator;
    }

    /** The texts of a list, in which null is no item, or the one of another value. */
    List<String> texts(JsonNode value) {
        if (this == JSON || !value.isArray()) {
            return List.of(this == JSON ? value.toString() : text(value));
        }
        List<String> texts = new ArrayList<>();
        for (JsonNode item : value) {
            if (!item.isNull()) {
                texts.add(text(item));
            }
        }
        return texts;
    }

    /**
     * Encoded {@code name=value} pairs. Null, and what has nothing in it, is written nowhere. What is in an object, and what the
     * specification leaves open: in a deepObject brackets go on for an object and a list repeats its name; else a list repeats its name
     * where the fields have pairs of their own, and all others are JSON.
     */
    List<String> pairs(String name, JsonNode value, boolean isExploded) {
        List<String> pairs = new ArrayList<>();
        if (value != null && !value.isNull()) {
            visit(name, value, isExploded || this == DEEP_OBJECT, pairs);
        }
        return pairs;
    }

    private void visit(String name, JsonNode value, boolean isSpread, List<String> pairs) {
        if (this == JSON) {
            pairs.add(pair(name, texts(value)));
        } else if (isNothing(value)) {
            return;
        } else if (value.isArray()) {
            List<String> texts = texts(value);
            if (isSpread) {
                texts.forEach(text -> pairs.add(pair(name, List.of(text))));
            } else if (!texts.isEmpty()) {
                pairs.add(pair(name, texts));
            }
        } else if (value.isObject()) {
            fields(name, value, isSpread, pairs);
        } else {
            pairs.add(pair(name, List.of(text(value))));
        }
    }

    private void fields(String name, JsonNode object, boolean isSpread, List<String> pairs) {
        List<String> texts = new ArrayList<>();
        Iterator<Map.Entry<String, JsonNode>> fields = object.fields();
        while (fields.hasNext()) {
            Map.Entry<String, JsonNode> field = fields.next();
            JsonNode value = field.getValue();
            if (isNothing(value)) {
                continue;
            }
            if (this == DEEP_OBJECT) {
                visit(name + "[" + field.getKey() + "]", value, true, pairs);
            } else if (!isSpread) {
                texts.add(field.getKey());
                texts.add(text(value));
            } else if (value.isArray()) {
                visit(field.getKey(), value, true, pairs);
            } else {
                pairs.add(pair(field.getKey(), List.of(text(value))));
            }
        }
        if (!texts.isEmpty()) {
            pairs.add(pair(name, texts));
        }
    }

    private String pair(String name, List<String> texts) {
        return Percent.encode(name) + "=" + String.join(separator, texts.stream().map(Percent::encode).toList());
    }

    private static boolean isNothing(JsonNode value) {
        return value.isNull() || (value.isContainerNode() && value.isEmpty());
    }

    static String text(JsonNode value) {
        return value.isContainerNode() ? value.toString() : value.asText();
    }
}
`;
}

/** `Percent.java` and `HeaderValues.java`: what keeps values in their places. */
export function percentText(packageName: string): string {
  return String.raw`package ${packageName}.internal;

import java.nio.charset.StandardCharsets;

/** Percent-encoding of RFC 3986. */
final class Percent {
    private static final String UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
    private static final String HEX = "0123456789ABCDEF";

    private Percent() {}

    static String encode(String text) {
        StringBuilder encoded = new StringBuilder(text.length() + 8);
        for (byte octet : text.getBytes(StandardCharsets.UTF_8)) {
            if (octet > 0 && UNRESERVED.indexOf(octet) >= 0) {
                encoded.append((char) octet);
            } else {
                encoded.append('%').append(HEX.charAt((octet >> 4) & 15)).append(HEX.charAt(octet & 15));
            }
        }
        return encoded.toString();
    }

    /** The encoding of forms in HTML, where a space is a plus, and tildes and commas are none of the characters that stay. */
    static String fromUriToForm(String encoded) {
        return encoded.replace("%20", "+").replace("~", "%7E").replace("%2A", "*").replace(",", "%2C");
    }
}
`;
}
