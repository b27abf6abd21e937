import type { JavaText } from './java-text-file.ts';

/** What a client throws: one family, so that a caller may catch all of it or one kind. */
export const exceptionTexts: readonly JavaText[] = [
  {
    name: 'ApiClientException',
    text: (packageName) => String.raw`package ${packageName};

/** What all exceptions of this library have in common. */
public abstract sealed class ApiClientException extends RuntimeException
        permits ApiException, ApiConnectionException, ApiDecodeException, ApiTimeoutException {
    private static final long serialVersionUID = 1L;

    ApiClientException(String message, Throwable cause) {
        this(message, cause, true);
    }

    ApiClientException(String message, Throwable cause, boolean hasStackTrace) {
        super(message, cause, hasStackTrace, hasStackTrace);
    }
}
`,
  },
  {
    name: 'ApiException',
    text: (packageName) => String.raw`package ${packageName};

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.http.HttpHeaders;
import java.util.Map;
import java.util.Optional;

/** The server answered with a status other than 200 to 299. Redirects are answers of this kind too: they are not followed. */
public final class ApiException extends ApiClientException {
    private static final long serialVersionUID = 1L;
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final int status;
    private final transient HttpHeaders headers;
    private final String body;

    public ApiException(String operation, int status, HttpHeaders headers, String body) {
        super(operation + " was answered with status " + status, null);
        this.status = status;
        this.headers = headers;
        this.body = body;
    }

    public int status() {
        return status;
    }

    public HttpHeaders headers() {
        return headers == null ? HttpHeaders.of(Map.of(), (name, value) -> true) : headers;
    }

    /** The body as text, empty where there was none. */
    public String body() {
        return body;
    }

    /** The body as JSON, where it is JSON. */
    public Optional<JsonNode> json() {
        try {
            return Optional.ofNullable(MAPPER.readTree(body)).filter(json -> !json.isMissingNode());
        } catch (JsonProcessingException problem) {
            return Optional.empty();
        }
    }
}
`,
  },
  {
    name: 'ApiConnectionException',
    text: (packageName) => String.raw`package ${packageName};

/** There was no whole answer: the connection failed, or the calling thread was interrupted. */
public final class ApiConnectionException extends ApiClientException {
    private static final long serialVersionUID = 1L;

    public ApiConnectionException(String operation, Throwable cause) {
        super(operation + " got no answer: " + reason(cause), cause);
    }

    private static String reason(Throwable cause) {
        String name = cause.getClass().getSimpleName();
        return cause.getMessage() == null ? name : name + ": " + cause.getMessage();
    }
}
`,
  },
  {
    name: 'ApiTimeoutException',
    text: (packageName) => String.raw`package ${packageName};

import java.time.Duration;

/** There was no whole answer in time. The server may have done what it was asked to all the same. */
public final class ApiTimeoutException extends ApiClientException {
    private static final long serialVersionUID = 1L;

    public ApiTimeoutException(String operation, Duration timeout, Throwable cause) {
        super(operation + " got no answer within " + timeout.toMillis() + " ms", cause);
    }
}
`,
  },
  {
    name: 'ApiDecodeException',
    text: (packageName) => String.raw`package ${packageName};

/** A good answer that is not what the description of the API says. The message names the place. */
public final class ApiDecodeException extends ApiClientException {
    private static final long serialVersionUID = 1L;

    private final String operation;
    private final String place;
    private final String problem;

    public ApiDecodeException(String problem) {
        this("", "", problem);
    }

    private ApiDecodeException(String operation, String place, String problem) {
        // Only what a call throws has one: the types of a union are tried, so that many problems are made and thrown away.
        super(messageOf(operation, place, problem), null, !operation.isEmpty());
        this.operation = operation;
        this.place = place;
        this.problem = problem;
    }

    private static String messageOf(String operation, String place, String problem) {
        return (operation.isEmpty() ? "" : operation + ": ") + (place.isEmpty() ? "the answer " : place + " ") + problem;
    }

    /** Where in the JSON text, as a JSON Pointer. Empty for the whole of it. */
    public String place() {
        return place;
    }

    /** The same problem, as one of the thing that the place is in. */
    public ApiDecodeException within(String name) {
        return new ApiDecodeException(operation, "/" + name.replace("~", "~0").replace("/", "~1") + place, problem);
    }

    /** The same problem, as one of a named operation. */
    public ApiDecodeException in(String operationOfAnswer) {
        return new ApiDecodeException(operationOfAnswer, place, problem);
    }
}
`,
  },
];
