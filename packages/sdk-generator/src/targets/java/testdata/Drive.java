import com.acme.wide.ApiClientException;
import com.acme.wide.ApiConnectionException;
import com.acme.wide.ApiDecodeException;
import com.acme.wide.ApiException;
import com.acme.wide.ApiTimeoutException;
import com.acme.wide.FilePart;
import com.acme.wide.WideClient;
import com.acme.wide.api.DefaultApi;
import com.acme.wide.api.FailOptions;
import com.acme.wide.api.FindOptions;
import com.acme.wide.api.StylesOptions;
import com.acme.wide.model.Alike;
import com.acme.wide.model.Circle;
import com.acme.wide.model.Counts;
import com.acme.wide.model.Deep;
import com.acme.wide.model.Failed;
import com.acme.wide.model.Filter;
import com.acme.wide.model.Level;
import com.acme.wide.model.LoginForm;
import com.acme.wide.model.Named;
import com.acme.wide.model.Node;
import com.acme.wide.model.Prefs;
import com.acme.wide.model.Rank;
import com.acme.wide.model.Square;
import com.acme.wide.model.Texts2;
import com.acme.wide.model.UploadForm;
import com.acme.wide.model.Value;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Calls everything of the wide API and prints what came of it. The address is the only argument. */
public final class Drive {
    private static final ObjectMapper MAPPER =
            JsonMapper.builder().configure(JsonWriteFeature.ESCAPE_NON_ASCII, true).build();
    private static final LocalDate DAY = LocalDate.of(2024, 2, 29);
    private static final Map<String, Object> OUTCOMES = new LinkedHashMap<>();

    private static String url;
    private static DefaultApi api;
    private static DefaultApi more;

    private Drive() {}

    public static void main(String[] args) throws Exception {
        url = args[0];
        api = client(builder -> {});
        more = client(builder -> builder.header("X-More", "yes"));
        parameters();
        Node node = models();
        bodies(node);
        failures();
        authentication();
        refusals();
        mapperOfTheUser(node);
        System.out.println(MAPPER.writeValueAsString(OUTCOMES));
    }

    private static DefaultApi client(Consumer<WideClient.Builder> options) {
        WideClient.Builder builder = WideClient.builder().baseUrl(url + "/");
        options.accept(builder);
        return builder.build().defaultApi();
    }

    private static void parameters() {
        FindOptions options = new FindOptions()
                .level(List.of(Level.LOW, Level.of("new")))
                .plain(List.of("a", "b,c"))
                .spaced(List.of("a", "b"))
                .piped(List.of(1L, 2L))
                .filter(Filter.builder().from(LocalDate.of(2024, 1, 1)).maxSize(5L).of(Filter.builder().maxSize(6L).build()).build())
                .flat(Map.of("k k", "v&"))
                .pairs(Map.of("a a", "b,b"))
                .json(Filter.builder().maxSize(5L).build())
                .xTrace(List.of("a", "b"))
                .session("s;1");
        withSelf(options);
        OUTCOMES.put("find", more.find(7, List.of("a/b", "c d"), DAY, options));
        OUTCOMES.put("findLeast", more.find(-1, List.of("a"), DAY));
        styles();
        OUTCOMES.put("file", api.file("a b/c?.txt"));
    }

    private static void styles() {
        Prefs prefs = Prefs.builder().a(1L).b("x y").gone(null).none(List.of()).build();
        Prefs full = prefs.toBuilder().half(2.0).inner(Filter.builder().maxSize(5L).build()).list(List.of("p", "q")).build();
        OUTCOMES.put("styles", api.styles(new StylesOptions()
                .flat(full)
                .joined(full)
                .deep(full)
                .empty(List.of())
                .many(List.of())
                .xNone(List.of())
                .xMap(Map.of("k", "ü😀"))
                .ids(List.of(1L, 2L))
                .short_(List.of(1L, 2L))
                .prefs(prefs)
                .pair(prefs)));
        Prefs nothing = Prefs.builder().gone(null).none(List.of()).build();
        OUTCOMES.put("stylesLeast", api.styles(new StylesOptions()
                .flat(nothing).joined(nothing).deep(nothing).short_(List.of()).prefs(nothing).pair(Prefs.builder().build())));
    }

    /** Whether each answer can be read. */
    private static List<Boolean> readings() {
        List<Boolean> read = new ArrayList<>();
        while (true) {
            try {
                read.add(api.reading(read.size()).number() == 1);
            } catch (ApiDecodeException problem) {
                read.add(false);
            } catch (ApiException problem) {
                return read;
            }
        }
    }

    @SuppressWarnings("deprecation")
    private static void withSelf(FindOptions options) {
        options.self(true);
    }

    @SuppressWarnings("deprecation")
    private static Node models() {
        Circle circle = Circle.builder().kind("round").radius(1.5).build();
        Node node = Node.builder()
                .id(9_007_199_254_740_991L)
                .class_(Level.of("learned later"))
                .madeAt(OffsetDateTime.parse("2024-02-29T23:59:59.123456+02:00"))
                .day(DAY)
                .note(null)
                .comment(null)
                .data(new byte[] {0, 1, -1})
                .ratio(2.0)
                .isOpen(false)
                .children(List.of(Node.builder().id(2).class_(Level.LOW).comment("text").rank(Rank.of(7)).build()))
                .shape(circle)
                .value(new Value.ValuesValue(List.of(
                        new Value.IntegerValue(1), new Value.StringValue("a"), Circle.builder().kind("any").radius(3).build())))
                .labels(Map.of("a b", "c"))
                .free(MAPPER.valueToTree(Map.of("deep", Arrays.asList((Object) null))))
                .rank(Rank.N_1)
                .additionalProperties(Map.of("extra", 5L))
                .build();
        Node read = api.node();
        OUTCOMES.put("node", read.toJson());
        Node child = read.children().orElseThrow().get(0);
        Circle shape = (Circle) read.shape().orElseThrow();
        OUTCOMES.put("nodeRead", Arrays.asList(
                read.class_().value(),
                read.madeAt().orElseThrow().withOffsetSameInstant(ZoneOffset.UTC).toString(),
                shape.getClass().getSimpleName(),
                shape.radius(),
                child.rank().orElseThrow().value(),
                read.additionalProperties().get("extra"),
                read.rank().orElseThrow().equals(Rank.N_1)));
        check(read.hasNote() && read.note().isEmpty() && !child.hasNote() && child.parent().isEmpty(), "absence is told from null");
        check(read.revision().orElseThrow() == 3 && child.class_().equals(Level.LOW), "what is only in answers is read");
        check(!read.toBuilder().withoutNote().build().toJson().has("note"), "null can be taken out again");
        Node copy = read.toBuilder().build();
        check(copy.equals(read) && copy.hashCode() == read.hashCode() && !child.equals(read), "equality is by value");
        check(copy.toString().startsWith("Node{id=9007199254740991, class_=learned later, "), copy.toString());
        List<Value> values = api.values();
        OUTCOMES.put("values", values.stream().map(Value::toJson).toList());
        OUTCOMES.put("readings", readings());
        OUTCOMES.put("alike", api.alike().stream().map(Alike::toJson).toList());
        OUTCOMES.put("deep", depthOf(api.deep()));
        errorOf(ApiDecodeException.class, api::tooDeep);
        OUTCOMES.put("tooDeep", "decode error");
        errorOf(ApiDecodeException.class, client(builder -> builder.baseUrl(url + "/abyss"))::deep);
        check(values.get(3) instanceof Circle, "variants are objects of the model");
        check(Square.builder().side(1).build().toJson().toString().equals("{\"kind\":\"square\",\"side\":1}"), "tags are filled in");
        check(errorOf(NullPointerException.class, () -> Node.builder().id(1).build()).getMessage().equals("class_"), "required");
        return node;
    }

    private static List<Object> depthOf(Deep deep) {
        int depth = 0;
        Deep innermost = deep;
        while (innermost instanceof Counts counts) {
            innermost = counts.inner().orElseThrow();
            depth += 1;
        }
        return List.of(depth, ((Texts2) innermost).name());
    }

    private static void bodies(Node node) {
        OUTCOMES.put("class", api.class_(node));
        OUTCOMES.put("sendAny", api.sendAny(Arrays.asList("a", null)));
        OUTCOMES.put("sendNull", api.sendAny(null));
        OUTCOMES.put("sendAlike", api.sendAlike(
                List.of(Failed.builder().code(1L).message("x").build(), Named.builder().name("n").build())));
        Filter meta = Filter.builder().maxSize(5L).build();
        Filter where = Filter.builder().maxSize(5L).of(Filter.builder().from(LocalDate.of(2024, 1, 1)).build()).build();
        OUTCOMES.put("login", api.login(LoginForm.builder()
                .userName("a b&ü")
                .tag(List.of("x", "y"))
                .ids(List.of(1L, 2L))
                .piped(List.of(1L, 2L))
                .where(where)
                .meta(meta)
                .build()));
        OUTCOMES.put("upload", api.upload(UploadForm.builder()
                .titleX("T ü")
                .photo(FilePart.of("a\"b.jpg", new byte[] {0, -1}).withContentType("image/jpeg"))
                .pages(List.of(FilePart.of("1.png", "one".getBytes()), FilePart.of("2.png", "two".getBytes())))
                .meta(meta)
                .count(3L)
                .note(List.of("*a*", "*b*"))
                .build()));
        OUTCOMES.put("put", api.put(BodyPublishers.ofByteArray(new byte[] {0, -1, 13, 10})));
        OUTCOMES.put("say", api.say("ü"));
        OUTCOMES.put("import", HexFormat.of().formatHex(api.import_()));
        OUTCOMES.put("text", api.text());
        OUTCOMES.put("maybe", api.maybe().orElse(null));
        remove();
    }

    @SuppressWarnings("deprecation")
    private static void remove() {
        api.remove();
        OUTCOMES.put("remove", null);
    }

    private static void failures() {
        ApiException failed = errorOf(ApiException.class, () -> api.fail("secret", new FailOptions().q("secret")));
        OUTCOMES.put("fail", List.of(
                failed.status(),
                failed.headers().firstValue("x-request").orElseThrow(),
                failed.body(),
                failed.json().orElseThrow().get("code"),
                failed.getMessage()));
        OUTCOMES.put("moved", errorOf(ApiException.class, api::moved).status());
        DefaultApi hasty = client(builder -> builder.timeout(Duration.ofMillis(300)));
        errorOf(ApiTimeoutException.class, hasty::slow);
        OUTCOMES.put("slow", "time-out");
        errorOf(ApiTimeoutException.class, hasty::dripping);
        OUTCOMES.put("dripping", "time-out");
        errorOf(ApiConnectionException.class, () -> WideClient.builder().baseUrl("http://127.0.0.1:1").build().defaultApi().text());
        OUTCOMES.put("unreachable", "no connection");
        ApiDecodeException broken = errorOf(ApiDecodeException.class, api::broken);
        check(broken.place().equals("/1/children/0/id"), broken.place());
        OUTCOMES.put("broken", broken.getMessage());
        OUTCOMES.put("noJson", errorOf(ApiDecodeException.class, api::noJson).getMessage());
    }

    private static void authentication() {
        OUTCOMES.put("eitherNone", client(builder -> builder.bearerToken("t")).either());
        OUTCOMES.put("eitherBasic", client(builder -> builder.bearerToken("t").basicAuthentication("me", "p:w")).either());
        OUTCOMES.put("eitherBoth",
                client(builder -> builder.bearerToken("t").apiKey("k").basicAuthentication("me", "p:w")).either());
        OUTCOMES.put("eitherKeys", client(builder -> builder.apiKey("cookieKey", "c").apiKey("queryKey", "q&")).either());
        OUTCOMES.put("token", client(builder -> builder.bearerToken("t").apiKey("k")).token());
    }

    private static void refusals() {
        List<String> refused = new ArrayList<>();
        FindOptions evil = new FindOptions().xTrace(List.of("a\r\nX-Evil: 1"));
        String message = errorOf(IllegalArgumentException.class, () -> api.find(1, List.of("a"), DAY, evil)).getMessage();
        check(!message.contains("Evil"), message);
        refused.add("header");
        FindOptions foreign = new FindOptions().xTrace(List.of("ü"));
        errorOf(IllegalArgumentException.class, () -> api.find(1, List.of("a"), DAY, foreign));
        refused.add("header beyond ASCII");
        JsonNode echo = more.find(1, List.of("a"), DAY, new FindOptions().session("a\r\nb"));
        check(!echo.at("/headers/cookie").asText().contains("\n"), "cookies are escaped");
        refused.add("cookie of two lines is escaped");
        errorOf(IllegalArgumentException.class, () -> api.fail(".."));
        refused.add("path ..");
        errorOf(IllegalArgumentException.class, () -> api.find(1, List.of(), DAY));
        refused.add("path empty");
        errorOf(IllegalArgumentException.class, () -> api.file("a/../b"));
        refused.add("greedy path");
        message = errorOf(IllegalArgumentException.class, () -> WideClient.builder().bearerToken("t0ken\nb")).getMessage();
        check(!message.contains("t0ken"), message);
        refused.add("token");
        errorOf(IllegalArgumentException.class, () -> WideClient.builder().apiKey("cookieKey", "a; b=c"));
        errorOf(IllegalArgumentException.class, () -> WideClient.builder().baseUrl("file:///etc/passwd"));
        errorOf(IllegalArgumentException.class, () -> WideClient.builder().httpClient(
                HttpClient.newBuilder().followRedirects(HttpClient.Redirect.ALWAYS).build()));
        OUTCOMES.put("refused", refused);
    }

    /** Models are values for every mapper. */
    private static void mapperOfTheUser(Node node) throws Exception {
        String text = MAPPER.writeValueAsString(List.of(node));
        check(text.equals("[" + node.toJson() + "]"), text);
        check(MAPPER.readValue(node.toJson().toString(), Node.class).equals(node), "read by a mapper");
        check(MAPPER.readValue("\"a\"", Value.class).equals(new Value.StringValue("a")), "a union read by a mapper");
        check(MAPPER.readValue("\"low\"", Level.class).equals(Level.LOW), "an enum read by a mapper");
    }

    private static <E extends RuntimeException> E errorOf(Class<E> kind, Runnable call) {
        try {
            call.run();
        } catch (RuntimeException problem) {
            if (kind.isInstance(problem)) {
                check(problem instanceof ApiClientException || !kind.getName().startsWith("com.acme"), "one family");
                return kind.cast(problem);
            }
            throw problem;
        }
        throw new AssertionError("nothing was thrown");
    }

    private static void check(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }
}
