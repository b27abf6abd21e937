/** `JsonWriter.java`: values to JSON trees. */
export function jsonWriterText(packageName: string): string {
  return String.raw`package ${packageName}.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** Writes values as JSON trees. Not for use outside of this library: it may change at any time. */
public final class JsonWriter {
    /** Writes one type. */
    @FunctionalInterface
    public interface Write<T> {
        JsonNode from(T value);
    }

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private JsonWriter() {}

    public static ObjectNode object() {
        return NODES.objectNode();
    }

    /** Null becomes the null of JSON. */
    public static <T> JsonNode write(T value, Write<T> write) {
        return value == null ? NODES.nullNode() : write.from(value);
    }

    /** Fields that a type does not know by name. Those that it does know stay as they are. */
    public static <T> void others(ObjectNode json, Map<String, T> values, Write<T> write) {
        values.forEach((name, value) -> json.putIfAbsent(name, write(value, write)));
    }

    public static JsonNode string(String value) {
        return NODES.textNode(value);
    }

    public static JsonNode bool(Boolean value) {
        return NODES.booleanNode(value);
    }

    public static JsonNode int32(Integer value) {
        return NODES.numberNode(value.intValue());
    }

    public static JsonNode int64(Long value) {
        return NODES.numberNode(value.longValue());
    }

    public static JsonNode number(Double value) {
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException("JSON has no number " + value);
        }
        // 3 rather than 3.0: some servers take the second for no integer.
        return value == Math.rint(value) && Math.abs(value) < 0x1p53
                ? NODES.numberNode(value.longValue())
                : NODES.numberNode(value.doubleValue());
    }

    public static JsonNode date(LocalDate value) {
        return NODES.textNode(value.toString());
    }

    public static JsonNode dateTime(OffsetDateTime value) {
        return NODES.textNode(DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(value));
    }

    public static JsonNode bytes(byte[] value) {
        return NODES.textNode(Base64.getEncoder().encodeToString(value));
    }

    public static JsonNode any(JsonNode value) {
        return value;
    }

    public static <T> Write<List<T>> listOf(Write<T> write) {
        return values -> {
            ArrayNode items = NODES.arrayNode(values.size());
            for (T value : values) {
                items.add(write(value, write));
            }
            return items;
        };
    }

    public static <T> Write<Map<String, T>> mapOf(Write<T> write) {
        return values -> {
            ObjectNode json = NODES.objectNode();
            values.forEach((name, value) -> json.set(name, write(value, write)));
            return json;
        };
    }
}
`;
}
