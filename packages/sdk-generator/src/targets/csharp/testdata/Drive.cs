// Everything is called, what is deprecated too.
#pragma warning disable 612, 618
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net.Http;
using System.Threading;
using System.Threading.Tasks;
using Acme.Wide;
using Acme.Wide.Api;
using Acme.Wide.Models;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

/// <summary>Calls everything of the wide API and prints what came of it. The address is the only argument.</summary>
public static class Drive
{
    private static readonly DateTime Day = new DateTime(2024, 2, 29);
    private static readonly JObject Outcomes = new JObject();
    private static string url;
    private static DefaultApi api;
    private static DefaultApi more;

    public static int Main(string[] args)
    {
        url = args[0];
        RunAsync().GetAwaiter().GetResult();
        var settings = new JsonSerializerSettings { StringEscapeHandling = StringEscapeHandling.EscapeNonAscii };
        Console.Out.Write(JsonConvert.SerializeObject(Outcomes, settings) + "\n");
        return 0;
    }

    private static async Task RunAsync()
    {
        api = Client(options => { });
        more = Client(options => options.Headers["X-More"] = "yes");
        await ParametersAsync();
        var node = await ModelsAsync();
        await BodiesAsync(node);
        await FailuresAsync();
        await AuthenticationAsync();
        await RefusalsAsync();
        SerializerOfTheUser(node);
    }

    private static DefaultApi Client(Action<WideClientOptions> change)
    {
        var options = new WideClientOptions { BaseUrl = url + "/" };
        change(options);
        return new WideClient(options).Default;
    }

    private static async Task ParametersAsync()
    {
        Outcomes["find"] = await more.FindAsync(
            7,
            new[] { "a/b", "c d" },
            Day,
            level: new[] { Level.Low, "new" },
            plain: new[] { "a", "b,c" },
            spaced: new[] { "a", "b" },
            piped: new[] { 1L, 2L },
            filter: new Filter { From = new DateTime(2024, 1, 1), MaxSize = 5, Of = new Filter { MaxSize = 6 } },
            flat: new Dictionary<string, string> { ["k k"] = "v&" },
            pairs: new Dictionary<string, string> { ["a a"] = "b,b" },
            json: new Filter { MaxSize = 5 },
            self: true,
            xTrace: new[] { "a", "b" },
            session: "s;1");
        Outcomes["findLeast"] = await more.FindAsync(-1, new[] { "a" }, Day);
        await StylesAsync();
        Outcomes["file"] = await api.FileAsync("a b/c?.txt");
    }

    private static async Task StylesAsync()
    {
        var prefs = new Prefs { A = 1, B = "x y", Gone = null, None = new string[0] };
        var full = new Prefs
        {
            A = 1,
            B = "x y",
            Gone = null,
            Half = 2,
            Inner = new Filter { MaxSize = 5 },
            List = new[] { "p", "q" },
            None = new string[0],
        };
        var none = new string[0];
        var numbers = new[] { 1L, 2L };
        Outcomes["styles"] = await api.StylesAsync(full, full, full, none, none, none, new Dictionary<string, string> { ["k"] = "ü😀" }, numbers, numbers, prefs, prefs);
        var nothing = new Prefs { Gone = null, None = none };
        Outcomes["stylesLeast"] = await api.StylesAsync(nothing, nothing, nothing, @short: new long[0], prefs: nothing, pair: new Prefs());
    }

    /// <summary>Whether each answer can be read.</summary>
    private static async Task<JArray> ReadingsAsync()
    {
        var read = new JArray();
        while (true)
        {
            try
            {
                read.Add((await api.ReadingAsync(read.Count)).Number == 1);
            }
            catch (ApiDecodeException)
            {
                read.Add(false);
            }
            catch (ApiException)
            {
                return read;
            }
        }
    }

    private static async Task<Node> ModelsAsync()
    {
        var node = new Node
        {
            Id = 9007199254740991,
            Class = "learned later",
            MadeAt = new DateTimeOffset(2024, 2, 29, 23, 59, 59, TimeSpan.FromHours(2)).AddTicks(1234560),
            Day = Day,
            Note = null,
            Comment = null,
            Data = new byte[] { 0, 1, 255 },
            Ratio = 2,
            IsOpen = false,
            Children = new[] { new Node { Id = 2, Class = Level.Low, Comment = "text", Rank = 7 } },
            Shape = new Circle { Kind = "round", Radius = 1.5 },
            Value = new ValueValues(new IValue[]
            {
                new ValueInteger(1), new ValueString("a"), new Circle { Kind = "any", Radius = 3 },
            }),
            Labels = new Dictionary<string, string> { ["a b"] = "c" },
            Free = JToken.Parse("{\"deep\":[null]}"),
            Rank = Rank.N1,
            AdditionalProperties = { ["extra"] = 5 },
        };
        var read = await api.NodeAsync();
        Outcomes["node"] = read.ToJson();
        var child = read.Children[0];
        var shape = (Circle)read.Shape;
        Outcomes["nodeRead"] = new JArray(
            read.Class.Value,
            read.MadeAt.Value.UtcDateTime.ToString("yyyy-MM-dd'T'HH:mm:ss.ffffff'Z'"),
            shape.GetType().Name,
            shape.Radius,
            child.Rank.Value,
            read.AdditionalProperties["extra"],
            read.Rank == Rank.N1);
        Check(read.HasNote && read.Note == null && !child.HasNote && child.Parent == null, "absence is told from null");
        Check(read.Revision == 3 && child.Class == Level.Low && child.Class != Level.High, "what is only in answers is read");
        read.HasNote = false;
        Check(((JObject)read.ToJson()).Property("note") == null, "null can be taken out again");
        var values = await api.ValuesAsync();
        Outcomes["values"] = new JArray(values.Select(value => value.ToJson()));
        Outcomes["readings"] = await ReadingsAsync();
        Outcomes["alike"] = new JArray((await api.AlikeAsync()).Select(value => value.ToJson()));
        Outcomes["deep"] = DepthOf(await api.DeepAsync());
        await ThrownAsync<ApiDecodeException>(() => api.TooDeepAsync());
        Outcomes["tooDeep"] = "decode error";
        await ThrownAsync<ApiDecodeException>(() => Client(options => options.BaseUrl = url + "/abyss").DeepAsync());
        Check(values[3] is Circle, "variants are objects of the model");
        Check(new Square { Side = 1 }.ToJson().ToString(Formatting.None) == "{\"kind\":\"square\",\"side\":1}", "tags are filled in");
        var missing = Assert<ArgumentException>(() => new Node { Id = 1 }.ToJson());
        Check(missing.Message == "Class is required, and is null", missing.Message);
        return node;
    }

    private static JArray DepthOf(IDeep deep)
    {
        var depth = 0;
        var innermost = deep;
        for (; innermost is Counts counts; innermost = counts.Inner)
        {
            depth += 1;
        }
        return new JArray(depth, ((Texts)innermost).Name);
    }

    private static async Task BodiesAsync(Node node)
    {
        Outcomes["class"] = await api.ClassAsync(node);
        Outcomes["sendAny"] = await api.SendAnyAsync(new[] { "a", null });
        Outcomes["sendNull"] = await api.SendAnyAsync(null);
        Outcomes["sendAlike"] = await api.SendAlikeAsync(
            new IAlike[] { new Failed { Code = 1, Message = "x" }, new Named { Name = "n" } });
        var meta = new Filter { MaxSize = 5 };
        Outcomes["login"] = await api.LoginAsync(new LoginForm
        {
            UserName = "a b&ü",
            Tag = new[] { "x", "y" },
            Ids = new[] { 1L, 2L },
            Piped = new[] { 1L, 2L },
            Where = new Filter { MaxSize = 5, Of = new Filter { From = new DateTime(2024, 1, 1) } },
            Meta = meta,
        });
        Outcomes["upload"] = await api.UploadAsync(new UploadForm
        {
            TitleX = "T ü",
            Photo = new FilePart("a\"b.jpg", new byte[] { 0, 255 }, "image/jpeg"),
            Pages = new[] { new FilePart("1.png", new byte[] { 111, 110, 101 }), new FilePart("2.png", new byte[] { 116, 119, 111 }) },
            Meta = meta,
            Count = 3,
            Note = new[] { "*a*", "*b*" },
        });
        Outcomes["put"] = await api.PutAsync(new MemoryStream(new byte[] { 0, 255, 13, 10 }));
        Outcomes["say"] = await api.SayAsync("ü");
        Outcomes["import"] = string.Concat((await api.ImportAsync()).Select(octet => octet.ToString("x2")));
        Outcomes["text"] = await api.TextAsync();
        Outcomes["maybe"] = (await api.MaybeAsync())?.ToJson();
        await api.RemoveAsync();
        Outcomes["remove"] = null;
    }

    private static async Task FailuresAsync()
    {
        var failed = await ThrownAsync<ApiException>(() => api.FailAsync("secret", "secret"));
        Outcomes["fail"] = new JArray(
            failed.StatusCode, failed.Headers["X-Request"].Single(), failed.Body, failed.Json["code"], failed.Message);
        Outcomes["moved"] = (await ThrownAsync<ApiException>(() => api.MovedAsync())).StatusCode;
        var hasty = Client(options => options.Timeout = TimeSpan.FromMilliseconds(300));
        await ThrownAsync<ApiTimeoutException>(() => hasty.SlowAsync());
        Outcomes["slow"] = "time-out";
        await ThrownAsync<ApiTimeoutException>(() => hasty.DrippingAsync());
        Outcomes["dripping"] = "time-out";
        var nobody = new WideClient(new WideClientOptions { BaseUrl = "http://127.0.0.1:1" });
        await ThrownAsync<ApiConnectionException>(() => nobody.Default.TextAsync());
        nobody.Dispose();
        Outcomes["unreachable"] = "no connection";
        var broken = await ThrownAsync<ApiDecodeException>(() => api.BrokenAsync());
        Check(broken.Place == "/1/children/0/id", broken.Place);
        Outcomes["broken"] = broken.Message;
        Outcomes["noJson"] = (await ThrownAsync<ApiDecodeException>(() => api.NoJsonAsync())).Message;
        using (var source = new CancellationTokenSource(100))
        {
            await ThrownAsync<OperationCanceledException>(() => api.SlowAsync(source.Token));
        }
    }

    private static async Task AuthenticationAsync()
    {
        Outcomes["eitherNone"] = await Client(options => options.BearerToken = "t").EitherAsync();
        Outcomes["eitherBasic"] = await Client(options =>
        {
            options.BearerToken = "t";
            options.UserName = "me";
            options.Password = "p:w";
        }).EitherAsync();
        Outcomes["eitherBoth"] = await Client(options =>
        {
            options.BearerToken = "t";
            options.ApiKey = "k";
            options.UserName = "me";
            options.Password = "p:w";
        }).EitherAsync();
        Outcomes["eitherKeys"] = await Client(options =>
        {
            options.ApiKeys["cookieKey"] = "c";
            options.ApiKeys["queryKey"] = "q&";
        }).EitherAsync();
        Outcomes["token"] = await Client(options =>
        {
            options.BearerToken = "t";
            options.ApiKey = "k";
        }).TokenAsync();
    }

    private static async Task RefusalsAsync()
    {
        var refused = new JArray();
        var problem = await ThrownAsync<ArgumentException>(
            () => api.FindAsync(1, new[] { "a" }, Day, xTrace: new[] { "a\r\nX-Evil: 1" }));
        Check(!problem.Message.Contains("Evil"), problem.Message);
        refused.Add("header");
        await ThrownAsync<ArgumentException>(() => api.FindAsync(1, new[] { "a" }, Day, xTrace: new[] { "ü" }));
        refused.Add("header beyond ASCII");
        var echo = await more.FindAsync(1, new[] { "a" }, Day, session: "a\r\nb");
        Check(!((string)echo["headers"]["cookie"]).Contains("\n"), "cookies are escaped");
        refused.Add("cookie of two lines is escaped");
        await ThrownAsync<ArgumentException>(() => api.FailAsync(".."));
        refused.Add("path ..");
        await ThrownAsync<ArgumentException>(() => api.FindAsync(1, new string[0], Day));
        refused.Add("path empty");
        await ThrownAsync<ArgumentException>(() => api.FileAsync("a/../b"));
        refused.Add("greedy path");
        problem = Assert<ArgumentException>(() => Client(options => options.BearerToken = "t0ken\nb"));
        Check(!problem.Message.Contains("t0ken"), problem.Message);
        refused.Add("token");
        Assert<ArgumentException>(() => Client(options => options.ApiKeys["cookieKey"] = "a; b=c"));
        Assert<ArgumentException>(() => Client(options => options.ApiKeys["unknown"] = "a"));
        Assert<ArgumentException>(() => Client(options => options.BaseUrl = "file:///etc/passwd"));
        Assert<ArgumentException>(() => Client(options => options.Handler = new HttpClientHandler { UseCookies = false }));
        Client(options => options.Handler = new HttpClientHandler { AllowAutoRedirect = false, UseCookies = false });
        Outcomes["refused"] = refused;
    }

    /// <summary>Models are values for every serializer.</summary>
    private static void SerializerOfTheUser(Node node)
    {
        var text = JsonConvert.SerializeObject(new[] { node });
        Check(text == "[" + node.ToJson().ToString(Formatting.None) + "]", text);
        var full = (JObject)node.ToJson();
        full["revision"] = 1;
        full["children"] = new JArray();
        var read = JsonConvert.DeserializeObject<Node>(full.ToString());
        Check(read.MadeAt == node.MadeAt && read.Class == node.Class, "read by a serializer");
        Check(((ValueString)JsonConvert.DeserializeObject<IValue>("\"a\"")).Value == "a", "a union read by a serializer");
        Check(JsonConvert.DeserializeObject<Level>("\"low\"") == Level.Low, "an enum read by a serializer");
        var problem = Assert<ApiDecodeException>(() => JsonConvert.DeserializeObject<Level>("1"));
        Check(problem.Message == "the answer must be a string", problem.Message);
    }

    private static async Task<E> ThrownAsync<E>(Func<Task> call) where E : Exception
    {
        try
        {
            await call();
        }
        catch (E problem)
        {
            Check(problem is ApiClientException || !typeof(E).Namespace.StartsWith("Acme"), "one family");
            return problem;
        }
        throw new InvalidOperationException("nothing was thrown");
    }

    private static E Assert<E>(Action call) where E : Exception
    {
        try
        {
            call();
        }
        catch (E problem)
        {
            return problem;
        }
        throw new InvalidOperationException("nothing was thrown");
    }

    private static void Check(bool holds, string what)
    {
        if (!holds)
        {
            throw new InvalidOperationException(what);
        }
    }
}
