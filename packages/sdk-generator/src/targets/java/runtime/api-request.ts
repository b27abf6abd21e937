/** `ApiRequest.java`: what one call sends, put together piece by piece. */
export function apiRequestText(packageName: string): string {
  return String.raw`package ${packageName}.internal;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What one call sends. Not for use outside of this library: it may change at any time. */
public final class ApiRequest {
    final String method;
    final String template;
    final StringBuilder path = new StringBuilder();
    final List<String> query = new ArrayList<>();
    final List<String> cookies = new ArrayList<>();
    final Map<String, String> headers = new LinkedHashMap<>();
    final List<List<Scheme>> security = new ArrayList<>();
    BodyPublisher body;

    /** @param template of the path, for messages: it holds no values */
    public ApiRequest(String method, String template) {
        this.method = method;
        this.template = template;
    }

    /** Method and path template, for messages. */
    String operation() {
        return method + " " + template;
    }

    /** A part of the path that stands there as it is. */
    public ApiRequest path(String literal) {
        path.append(literal);
        return this;
    }

    public ApiRequest pathParameter(String name, JsonNode value, ParameterStyle style, boolean isGreedy) {
        String text = String.join(",", style.texts(value).stream().map(Percent::encode).toList());
        String encoded = isGreedy ? text.replace("%2F", "/") : text;
        // Servers and proxies take such segments out: the request would be another one.
        for (String segment : encoded.split("/", -1)) {
            if (segment.isEmpty() || segment.equals(".") || segment.equals("..")) {
                throw new IllegalArgumentException("Parameter " + name + " must not be empty, \".\" or \"..\" in a path");
            }
        }
        path.append(encoded);
        return this;
    }

    /** Adds nothing where the value is null. */
    public ApiRequest query(String name, JsonNode value, ParameterStyle style, boolean isExploded) {
        query.addAll(style.pairs(name, value, isExploded));
        return this;
    }

    /** Adds nothing where the value is null. */
    public ApiRequest cookie(String name, JsonNode value, ParameterStyle style, boolean isExploded) {
        cookies.addAll(style.pairs(name, value, isExploded));
        return this;
    }

    /** Adds nothing where the value is null. */
    public ApiRequest header(String name, JsonNode value, ParameterStyle style) {
        if (value != null && !value.isNull()) {
            List<String> texts = style.texts(value);
            if (!texts.isEmpty()) {
                String text = String.join(",", texts);
                headers.put(name, HeaderValues.checked(name, style == ParameterStyle.JSON ? HeaderValues.ascii(text) : text));
            }
        }
        return this;
    }

    public ApiRequest accept(String mediaType) {
        headers.put("Accept", mediaType);
        return this;
    }

    /** One of the ways to show who calls: schemes whose credentials are sent together. The first way that the client can go is gone. */
    public ApiRequest allow(Scheme... together) {
        security.add(List.of(together));
        return this;
    }

    /** Sends nothing where the value is null. */
    public ApiRequest jsonBody(String mediaType, JsonNode value) {
        return value == null ? this : body(mediaType, BodyPublishers.ofString(value.toString(), StandardCharsets.UTF_8));
    }

    /** Sends nothing where the value is null. */
    public ApiRequest textBody(String mediaType, String value) {
        return value == null ? this : body(mediaType, BodyPublishers.ofString(value, StandardCharsets.UTF_8));
    }

    /** Sends nothing where the value is null. */
    public ApiRequest binaryBody(String mediaType, BodyPublisher value) {
        return value == null ? this : body(mediaType, value);
    }

    /** Sends nothing where the form is null. */
    public ApiRequest formBody(String mediaType, FormData form) {
        return form == null ? this : body(mediaType, BodyPublishers.ofByteArray(form.urlEncoded()));
    }

    /** Sends nothing where the form is null. */
    public ApiRequest multipartBody(String mediaType, FormData form) {
        if (form == null) {
            return this;
        }
        String boundary = FormData.newBoundary();
        return body(mediaType + "; boundary=" + boundary, BodyPublishers.ofByteArray(form.multipart(boundary)));
    }

    private ApiRequest body(String mediaType, BodyPublisher publisher) {
        headers.put("Content-Type", mediaType);
        body = publisher;
        return this;
    }
}
`;
}

/** `HeaderValues.java` */
export function headerValuesText(packageName: string): string {
  return String.raw`package ${packageName}.internal;

/** Looks at values of headers before they are sent, and never repeats them: they may be secrets. */
public final class HeaderValues {
    private HeaderValues() {}

    public static String checked(String name, String value) {
        for (int index = 0; index < value.length(); index += 1) {
            char character = value.charAt(index);
            if ((character < ' ' && character != '\t') || character > '~') {
                throw new IllegalArgumentException("The value of " + name + " has a character that headers cannot hold");
            }
        }
        return value;
    }

    /** JSON with all that is beyond ASCII escaped. */
    static String ascii(String json) {
        StringBuilder escaped = new StringBuilder(json.length());
        for (char unit : json.toCharArray()) {
            escaped.append(unit <= '~' ? String.valueOf(unit) : String.format("\\u%04x", (int) unit));
        }
        return escaped.toString();
    }

    /** For cookies that are sent as they are. */
    static String checkedCookie(String name, String value) {
        for (int index = 0; index < value.length(); index += 1) {
            char character = value.charAt(index);
            if (character <= ' ' || character > 126 || "\",;\\".indexOf(character) >= 0) {
                throw new IllegalArgumentException("The value of " + name + " has a character that cookies cannot hold");
            }
        }
        return value;
    }
}
`;
}

/** `Texts.java` */
export function textsText(packageName: string): string {
  return String.raw`package ${packageName}.internal;

import java.util.Arrays;

/** Objects as texts for people. Not for use outside of this library: it may change at any time. */
public final class Texts {
    private Texts() {}

    /** What is null is left out. */
    public static String ofObject(String className, Object[] values, String... names) {
        StringBuilder text = new StringBuilder(className).append('{');
        String separator = "";
        for (int index = 0; index < names.length; index += 1) {
            if (values[index] != null) {
                text.append(separator).append(names[index]).append('=').append(of(values[index]));
                separator = ", ";
            }
        }
        return text.append('}').toString();
    }

    private static String of(Object value) {
        return value instanceof byte[] octets ? Arrays.toString(octets) : String.valueOf(value);
    }
}
`;
}
