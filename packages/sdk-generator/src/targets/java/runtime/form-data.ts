/** `FormData.java`: bodies of forms, in both ways to send them. */
export function formDataText(packageName: string): string {
  return String.raw`package ${packageName}.internal;

import ${packageName}.FilePart;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** The fields of a form. Not for use outside of this library: it may change at any time. */
public final class FormData {
    private static final SecureRandom RANDOM = new SecureRandom();

    private record Part(String name, String fileName, String contentType, byte[] content) {}

    private final List<Part> parts = new ArrayList<>();
    private final List<String> pairs = new ArrayList<>();

    /** @param contentType of the part, or null */
    public void text(String name, JsonNode value, ParameterStyle style, boolean isExploded, String contentType) {
        pairs.addAll(style.pairs(name, value, isExploded));
        ParameterStyle.FORM.texts(value).forEach(text -> add(name, contentType, text));
    }

    /** @param contentType of the part, or null */
    public void json(String name, JsonNode value, String contentType) {
        pairs.addAll(ParameterStyle.JSON.pairs(name, value, false));
        String type = contentType == null ? "application/json" : contentType;
        if (value.isArray()) {
            value.forEach(item -> add(name, type, item.toString()));
        } else {
            add(name, type, value.toString());
        }
    }

    /** @param contentType of the part where the file does not know its own, or null */
    public void file(String name, FilePart file, String contentType) {
        String own = file.contentType().orElse(contentType);
        parts.add(new Part(name, file.fileName(), own == null ? "application/octet-stream" : own, file.content()));
    }

    /** @param contentType of the parts where the files do not know their own, or null */
    public void files(String name, List<FilePart> files, String contentType) {
        files.forEach(file -> file(name, file, contentType));
    }

    static String newBoundary() {
        byte[] octets = new byte[16];
        RANDOM.nextBytes(octets);
        return "form-" + HexFormat.of().formatHex(octets);
    }

    byte[] urlEncoded() {
        return Percent.fromUriToForm(String.join("&", pairs)).getBytes(StandardCharsets.US_ASCII);
    }

    /** Source of the form: RFC 7578. */
    byte[] multipart(String boundary) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (Part part : parts) {
            StringBuilder head = new StringBuilder("--").append(boundary).append("\r\n");
            head.append("Content-Disposition: form-data; name=\"").append(quoted(part.name())).append('"');
            if (part.fileName() != null) {
                head.append("; filename=\"").append(quoted(part.fileName())).append('"');
            }
            head.append("\r\n");
            if (part.contentType() != null) {
                head.append("Content-Type: ").append(part.contentType()).append("\r\n");
            }
            body.writeBytes(head.append("\r\n").toString().getBytes(StandardCharsets.UTF_8));
            body.writeBytes(part.content());
            body.writeBytes(new byte[] {'\r', '\n'});
        }
        body.writeBytes(("--" + boundary + "--\r\n").getBytes(StandardCharsets.US_ASCII));
        return body.toByteArray();
    }

    private void add(String name, String contentType, String text) {
        parts.add(new Part(name, null, contentType, text.getBytes(StandardCharsets.UTF_8)));
    }

    /** As browsers do it (HTML, multipart form data). */
    private static String quoted(String name) {
        return name.replace("\"", "%22").replace("\r", "%0D").replace("\n", "%0A");
    }
}
`;
}

/** `FilePart.java`: a file in a form. */
export function filePartText(packageName: string): string {
  return String.raw`package ${packageName};

import ${packageName}.internal.HeaderValues;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/** A file in a form: its content, what it is called, and its media type where that is known. */
public final class FilePart {
    private final String fileName;
    private final String contentType;
    private final byte[] content;

    private FilePart(String fileName, String contentType, byte[] content) {
        this.fileName = Objects.requireNonNull(fileName, "fileName");
        this.contentType = contentType == null ? null : HeaderValues.checked("contentType", contentType);
        this.content = content.clone();
    }

    public static FilePart of(String fileName, byte[] content) {
        return new FilePart(fileName, null, content);
    }

    /** A file of this machine, read at once. */
    public static FilePart of(Path file) throws IOException {
        return new FilePart(String.valueOf(file.getFileName()), null, Files.readAllBytes(file));
    }

    /** The same file with another media type, such as {@code image/png}. */
    public FilePart withContentType(String mediaType) {
        return new FilePart(fileName, mediaType, content);
    }

    public String fileName() {
        return fileName;
    }

    public Optional<String> contentType() {
        return Optional.ofNullable(contentType);
    }

    public byte[] content() {
        return content.clone();
    }
}
`;
}
