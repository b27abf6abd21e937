/** `JsonReader.java`: JSON trees to values. Places of failures are put together on the way out, so that reading costs nothing for them. */
export function jsonReaderText(packageName: string): string {
  return String.raw`package ${packageName}.internal;

import ${packageName}.ApiDecodeException;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads values out of JSON trees. Not for use outside of this library: it may change at any time. */
public final class JsonReader {
    /** Reads one type. */
    @FunctionalInterface
    public interface Read<T> {
        T from(JsonNode json);
    }

    /**
     * What came of the objects and lists of the union that is being read now, by the union: where unions are in unions, they would be
     * read anew for each type of each level.
     */
    private static final ThreadLocal<Map<JsonNode, Map<Class<?>, Object>>> OUTCOMES = new ThreadLocal<>();

    /** What came of it where no type of the union fits. */
    private static final Object NONE = new Object();

    /** RFC 3339, 5.6. What is not in the calendar or on the clock is found by who reads it. */
    private static final Pattern MOMENT = Pattern.compile(
            "([0-9-]{10}[Tt][0-9:]{8})(?:(\\.[0-9]{1,9})[0-9]*)?([Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])");

    private static final Pattern BASE64 = Pattern.compile("[A-Za-z0-9+/]*={0,2}");

    private JsonReader() {}

    public static JsonNode object(JsonNode json) {
        return check(json, json.isObject(), "an object");
    }

    public static <T> T required(JsonNode object, String name, Read<T> read) {
        JsonNode value = object.get(name);
        if (value == null) {
            throw new ApiDecodeException("is missing").within(name);
        }
        return within(name, value, read);
    }

    /** Gives null where the field is not there or null. */
    public static <T> T optional(JsonNode object, String name, Read<T> read) {
        JsonNode value = object.get(name);
        return value == null || value.isNull() ? null : within(name, value, read);
    }

    /** The fields that a type does not know by name. */
    public static <T> Map<String, T> others(JsonNode object, Set<String> known, Read<T> read) {
        Map<String, T> values = new LinkedHashMap<>();
        Iterator<Map.Entry<String, JsonNode>> fields = object.fields();
        while (fields.hasNext()) {
            Map.Entry<String, JsonNode> field = fields.next();
            if (!known.contains(field.getKey())) {
                values.put(field.getKey(), within(field.getKey(), field.getValue(), read));
            }
        }
        return Collections.unmodifiableMap(values);
    }

    public static String string(JsonNode json) {
        return check(json, json.isTextual(), "a string").textValue();
    }

    public static Boolean bool(JsonNode json) {
        return check(json, json.isBoolean(), "true or false").booleanValue();
    }

    public static Integer int32(JsonNode json) {
        long value = int64(json);
        check(json, value == (int) value, "an integer of 32 bits");
        return (int) value;
    }

    public static Long int64(JsonNode json) {
        if (json.isIntegralNumber() && json.canConvertToLong()) {
            return json.longValue();
        }
        // 1.0 and 1e3 are integers too, as JSON Schema has it.
        double value = check(json, json.isNumber(), "an integer of 64 bits").doubleValue();
        check(json, value == Math.rint(value) && Math.abs(value) < 0x1p63 && !json.isBigInteger(), "an integer of 64 bits");
        return (long) value;
    }

    public static Double number(JsonNode json) {
        return check(json, json.isNumber(), "a number").doubleValue();
    }

    public static LocalDate date(JsonNode json) {
        try {
            return LocalDate.parse(string(json));
        } catch (DateTimeException problem) {
            throw new ApiDecodeException("must be a date (YYYY-MM-DD)");
        }
    }

    /** Digits below a nanosecond are cut. */
    public static OffsetDateTime dateTime(JsonNode json) {
        Matcher match = MOMENT.matcher(string(json));
        try {
            check(json, match.matches(), "a date with time and offset (RFC 3339)");
            String fraction = match.group(2) == null ? "" : match.group(2);
            return OffsetDateTime.parse(match.group(1) + fraction + match.group(3));
        } catch (DateTimeException problem) {
            throw new ApiDecodeException("must be a date with time and offset (RFC 3339)");
        }
    }

    /** RFC 4648, 4: with padding, and nothing between. */
    public static byte[] bytes(JsonNode json) {
        String text = string(json);
        check(json, text.length() % 4 == 0 && BASE64.matcher(text).matches(), "Base64");
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException problem) {
            throw new ApiDecodeException("must be Base64");
        }
    }

    public static JsonNode any(JsonNode json) {
        return json;
    }

    public static <T> Read<T> nullableOf(Read<T> read) {
        return json -> json.isNull() ? null : read.from(json);
    }

    public static <T> Read<List<T>> listOf(Read<T> read) {
        return json -> {
            check(json, json.isArray(), "a list");
            List<T> items = new ArrayList<>(json.size());
            for (JsonNode item : json) {
                items.add(within(String.valueOf(items.size()), item, read));
            }
            return Collections.unmodifiableList(items);
        };
    }

    public static <T> Read<Map<String, T>> mapOf(Read<T> read) {
        return json -> others(object(json), Set.of(), read);
    }

    /** Takes only what is one of the known values. */
    public static <T> Read<T> knownOf(Read<T> read, List<T> known) {
        return json -> {
            T value = read.from(json);
            if (!known.contains(value)) {
                throw new ApiDecodeException("is not one of the known values");
            }
            return value;
        };
    }

    /** The text of the field that tells variants apart, or null. */
    public static String tag(JsonNode json, String name) {
        return json.path(name).asText(null);
    }

    /** One of the types of a union: an object with fields that must be there, and those that it knows. */
    public record Variant<T>(Read<T> read, List<String> required, Set<String> known) implements Read<T> {
        @Override
        public T from(JsonNode json) {
            return read.from(json);
        }
    }

    public static <T> Read<T> variant(Read<T> read, List<String> required, Set<String> known) {
        return new Variant<>(read, required, known);
    }

    /**
     * What the reader makes of it that can make anything of it and knows most of it: an object whose fields may all be absent takes
     * every other one, and would leave out all that it does not know.
     */
    public static <T> T firstOf(Class<T> union, JsonNode json, List<Read<? extends T>> readers) {
        if (!json.isContainerNode()) {
            return tried(json, readers);
        }
        boolean isOutermost = OUTCOMES.get() == null;
        if (isOutermost) {
            OUTCOMES.set(new IdentityHashMap<>());
        }
        try {
            Map<Class<?>, Object> outcomes = OUTCOMES.get().computeIfAbsent(json, node -> new HashMap<>(2));
            Object outcome = outcomes.get(union);
            if (outcome == null) {
                try {
                    outcome = tried(json, readers);
                } catch (ApiDecodeException problem) {
                    outcome = NONE;
                }
                outcomes.put(union, outcome);
            }
            if (outcome == NONE) {
                throw none();
            }
            return union.cast(outcome);
        } finally {
            if (isOutermost) {
                OUTCOMES.remove();
            }
        }
    }

    private static <T> T tried(JsonNode json, List<Read<? extends T>> readers) {
        for (Read<? extends T> read : byKnowledge(json, readers)) {
            try {
                return read.from(json);
            } catch (ApiDecodeException problem) {
                // The next one may take it.
            }
        }
        throw none();
    }

    private static ApiDecodeException none() {
        return new ApiDecodeException("is none of the types that may stand here");
    }

    /** Those that know most of it first, without those that miss a field. */
    private static <T> List<Read<? extends T>> byKnowledge(JsonNode json, List<Read<? extends T>> readers) {
        List<Candidate<T>> candidates = new ArrayList<>(readers.size());
        for (Read<? extends T> read : readers) {
            int fields = read instanceof Variant<?> variant ? knownFields(json, variant) : 0;
            if (fields >= 0) {
                candidates.add(new Candidate<>(read, fields));
            }
        }
        candidates.sort(Comparator.comparingInt(candidate -> -candidate.fields()));
        List<Read<? extends T>> ordered = new ArrayList<>(candidates.size());
        candidates.forEach(candidate -> ordered.add(candidate.read()));
        return ordered;
    }

    private record Candidate<T>(Read<? extends T> read, int fields) {}

    /** How many of its fields a type knows; -1 where it misses one. */
    private static int knownFields(JsonNode json, Variant<?> variant) {
        if (!json.isObject() || !variant.required().stream().allMatch(json::has)) {
            return -1;
        }
        int known = 0;
        Iterator<String> names = json.fieldNames();
        while (names.hasNext()) {
            known += variant.known().contains(names.next()) ? 1 : 0;
        }
        return known;
    }

    private static <T> T within(String name, JsonNode value, Read<T> read) {
        try {
            return read.from(value);
        } catch (ApiDecodeException problem) {
            throw problem.within(name);
        }
    }

    private static JsonNode check(JsonNode json, boolean holds, String what) {
        if (!holds) {
            throw new ApiDecodeException("must be " + what);
        }
        return json;
    }
}
`;
}
