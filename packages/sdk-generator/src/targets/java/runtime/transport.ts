/** `Transport.java`: sends requests and reads answers. */
export function transportText(packageName: string): string {
  return String.raw`package ${packageName}.internal;

import ${packageName}.ApiConnectionException;
import ${packageName}.ApiDecodeException;
import ${packageName}.ApiException;
import ${packageName}.ApiTimeoutException;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sends requests and reads answers. Not for use outside of this library: it may change at any time. */
public final class Transport {
    private static final ObjectMapper MAPPER = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    private static final Pattern CHARSET = Pattern.compile("charset=\"?([A-Za-z0-9._:-]+)", Pattern.CASE_INSENSITIVE);

    private final HttpClient httpClient;
    private final String baseUrl;
    private final Duration timeout;
    private final Map<String, String> headers;
    private final Credentials credentials;

    public Transport(
            HttpClient httpClient, String baseUrl, Duration timeout, Map<String, String> headers, Credentials credentials) {
        this.httpClient = httpClient;
        this.baseUrl = baseUrl;
        this.timeout = timeout;
        this.headers = new LinkedHashMap<>(headers);
        this.credentials = credentials;
    }

    /** For answers that have nothing to say. */
    public void none(ApiRequest request) {
        send(request);
    }

    public <T> T json(ApiRequest request, JsonReader.Read<T> read) {
        return decoded(request, send(request).body(), read);
    }

    /** Empty where the answer has no body, or is the null of JSON. */
    public <T> Optional<T> optionalJson(ApiRequest request, JsonReader.Read<T> read) {
        byte[] body = send(request).body();
        return body.length == 0 ? Optional.empty() : Optional.ofNullable(decoded(request, body, JsonReader.nullableOf(read)));
    }

    public String text(ApiRequest request) {
        return text(send(request));
    }

    /** Empty where the answer has no body. */
    public Optional<String> optionalText(ApiRequest request) {
        return Optional.of(text(request)).filter(text -> !text.isEmpty());
    }

    public byte[] binary(ApiRequest request) {
        return send(request).body();
    }

    /** Empty where the answer has no body. */
    public Optional<byte[]> optionalBinary(ApiRequest request) {
        return Optional.of(binary(request)).filter(body -> body.length > 0);
    }

    private static <T> T decoded(ApiRequest request, byte[] body, JsonReader.Read<T> read) {
        try {
            JsonNode json = MAPPER.readTree(new String(body, StandardCharsets.UTF_8));
            if (json.isMissingNode()) {
                throw new ApiDecodeException("has no body");
            }
            return read.from(json);
        } catch (JsonProcessingException problem) {
            throw new ApiDecodeException("is not JSON").in(request.operation());
        } catch (StackOverflowError problem) {
            throw new ApiDecodeException("is nested too deeply").in(request.operation());
        } catch (ApiDecodeException problem) {
            throw problem.in(request.operation());
        }
    }

    private static String text(HttpResponse<byte[]> response) {
        Matcher charset = CHARSET.matcher(response.headers().firstValue("Content-Type").orElse(""));
        boolean isKnown = charset.find() && isSupported(charset.group(1));
        return new String(response.body(), isKnown ? Charset.forName(charset.group(1)) : StandardCharsets.UTF_8);
    }

    private static boolean isSupported(String charset) {
        try {
            return Charset.isSupported(charset);
        } catch (IllegalArgumentException problem) {
            return false;
        }
    }

    private HttpResponse<byte[]> send(ApiRequest request) {
        CompletableFuture<HttpResponse<byte[]>> pending = httpClient.sendAsync(httpRequest(request), BodyHandlers.ofByteArray());
        HttpResponse<byte[]> response = awaited(request, pending);
        if (response.statusCode() < 200 || response.statusCode() > 299) {
            throw new ApiException(request.operation(), response.statusCode(), response.headers(), text(response));
        }
        return response;
    }

    /** The limit counts for all of it, the body of the answer too. */
    private HttpResponse<byte[]> awaited(ApiRequest request, CompletableFuture<HttpResponse<byte[]>> pending) {
        try {
            return pending.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException problem) {
            pending.cancel(true);
            throw new ApiTimeoutException(request.operation(), timeout, problem);
        } catch (InterruptedException problem) {
            pending.cancel(true);
            Thread.currentThread().interrupt();
            throw new ApiConnectionException(request.operation(), problem);
        } catch (ExecutionException problem) {
            Throwable cause = problem.getCause();
            if (cause instanceof HttpTimeoutException) {
                throw new ApiTimeoutException(request.operation(), timeout, cause);
            }
            throw new ApiConnectionException(request.operation(), cause);
        }
    }

    private HttpRequest httpRequest(ApiRequest request) {
        List<String> query = new ArrayList<>(request.query);
        List<String> cookies = new ArrayList<>(request.cookies);
        Map<String, String> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        all.putAll(headers);
        all.putAll(request.headers);
        credentials.apply(request.security, all, query, cookies);
        if (!cookies.isEmpty()) {
            all.merge("Cookie", String.join("; ", cookies), (given, more) -> given + "; " + more);
        }
        URI address = address(request, query);
        HttpRequest.Builder builder = HttpRequest.newBuilder(address)
                .method(request.method, request.body == null ? BodyPublishers.noBody() : request.body);
        if ("http".equalsIgnoreCase(address.getScheme())) {
            // Without TLS the client would ask each server to change over to HTTP/2, which many of them do not expect.
            builder.version(HttpClient.Version.HTTP_1_1);
        }
        all.forEach(builder::setHeader);
        return builder.build();
    }

    private URI address(ApiRequest request, List<String> query) {
        for (String segment : request.path.toString().split("/")) {
            if (segment.equals(".") || segment.equals("..")) {
                throw new IllegalArgumentException("Parameters must not make a path with \".\" or \"..\": " + request.template);
            }
        }
        try {
            return URI.create(baseUrl + request.path + (query.isEmpty() ? "" : "?" + String.join("&", query)));
        } catch (IllegalArgumentException problem) {
            // Its message would hold the query, and keys in it.
            throw new IllegalArgumentException("The address of " + request.operation() + " is not valid");
        }
    }
}
`;
}
