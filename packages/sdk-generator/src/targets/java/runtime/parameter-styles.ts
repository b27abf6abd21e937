/** `ParameterStyle.java`: how values stand in addresses, headers and forms. */
export function parameterStyleText(packageName: string): string {
  return String.raw`package ${packageName}.internal;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

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

    /** The items of a list, names and values of an object one after the other, or the value itself. */
    List<String> texts(JsonNode value) {
        if (this == JSON) {
            return List.of(value.toString());
        }
        List<String> texts = new ArrayList<>();
        if (value.isObject()) {
            each(value, (name, field) -> {
                texts.add(name);
                texts.add(text(field));
            });
        } else if (value.isArray()) {
            value.forEach(item -> texts.add(text(item)));
        } else {
            texts.add(text(value));
        }
        return texts;
    }

    /** Encoded {@code name=value} pairs. None where the value is null or has no items. */
    List<String> pairs(String name, JsonNode value, boolean isExploded) {
        List<String> pairs = new ArrayList<>();
        visit(name, value, isExploded, (key, text) -> pairs.add(Percent.encode(key) + "=" + text));
        return pairs;
    }

    /** Gives names as they are and texts that are encoded. */
    private void visit(String name, JsonNode value, boolean isExploded, BiConsumer<String, String> pair) {
        if (value == null || value.isNull()) {
            return;
        }
        boolean isContainer = this != JSON && value.isContainerNode();
        if (isContainer && value.isEmpty()) {
            return;
        }
        if (isContainer && this == DEEP_OBJECT) {
            deep(name, value, pair);
        } else if (isContainer && isExploded && value.isObject()) {
            each(value, (key, field) -> pair.accept(key, Percent.encode(text(field))));
        } else if (isContainer && isExploded) {
            value.forEach(item -> pair.accept(name, Percent.encode(text(item))));
        } else {
            pair.accept(name, String.join(separator, texts(value).stream().map(Percent::encode).toList()));
        }
    }

    private static void deep(String name, JsonNode value, BiConsumer<String, String> pair) {
        if (value.isObject()) {
            each(value, (key, field) -> deep(name + "[" + key + "]", field, pair));
        } else if (value.isArray()) {
            value.forEach(item -> deep(name, item, pair));
        } else if (!value.isNull()) {
            pair.accept(name, Percent.encode(text(value)));
        }
    }

    private static void each(JsonNode object, BiConsumer<String, JsonNode> action) {
        Iterator<Map.Entry<String, JsonNode>> fields = object.fields();
        while (fields.hasNext()) {
            Map.Entry<String, JsonNode> field = fields.next();
            action.accept(field.getKey(), field.getValue());
        }
    }

    static String text(JsonNode value) {
        if (value.isNull()) {
            return "";
        }
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
