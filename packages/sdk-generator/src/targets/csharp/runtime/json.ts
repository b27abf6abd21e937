import type { CsharpTemplate } from './csharp-template.ts';

/** JSON trees to values and back. Places of failures are put together on the way out, so that reading costs nothing for them. */
export const jsonTemplates: readonly CsharpTemplate[] = [
  {
    subNamespace: 'Internal',
    name: 'Read',
    usings: [
      'System',
      'System.Collections.Generic',
      'System.Globalization',
      'System.Text.RegularExpressions',
      'Newtonsoft.Json.Linq',
      '.',
    ],
    body: String.raw`/// <summary>Reads values out of JSON trees.</summary>
internal static class Read
{
    private static readonly Regex Rfc3339 = new Regex(
        @"^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(?:\.(\d{1,7})\d*)?([Zz]|[+-]\d\d:\d\d)$", RegexOptions.CultureInvariant);

    public static JObject Object(JToken json)
    {
        return json as JObject ?? throw new ApiDecodeException("must be an object");
    }

    public static T Required<T>(JObject json, string name, Func<JToken, T> read)
    {
        var value = json[name];
        if (value == null)
        {
            throw new ApiDecodeException("is missing").Within(name);
        }
        return Within(name, value, read);
    }

    public static T Optional<T>(JObject json, string name, Func<JToken, T> read) where T : class
    {
        var value = json[name];
        return IsNull(value) ? null : Within(name, value, read);
    }

    public static T? OptionalValue<T>(JObject json, string name, Func<JToken, T> read) where T : struct
    {
        var value = json[name];
        return IsNull(value) ? (T?)null : Within(name, value, read);
    }

    /// <summary>The fields that a type does not know by name.</summary>
    public static Dictionary<string, T> Others<T>(JObject json, HashSet<string> known, Func<JToken, T> read)
    {
        var values = new Dictionary<string, T>();
        foreach (var field in json)
        {
            if (!known.Contains(field.Key))
            {
                values[field.Key] = Within(field.Key, field.Value, read);
            }
        }
        return values;
    }

    public static string String(JToken json)
    {
        return json.Type == JTokenType.String ? (string)json : throw new ApiDecodeException("must be a string");
    }

    public static bool Boolean(JToken json)
    {
        return json.Type == JTokenType.Boolean ? (bool)json : throw new ApiDecodeException("must be true or false");
    }

    public static int Int32(JToken json)
    {
        var value = Int64(json);
        return value >= int.MinValue && value <= int.MaxValue
            ? (int)value
            : throw new ApiDecodeException("must be an integer of 32 bits");
    }

    public static long Int64(JToken json)
    {
        var value = json is JValue scalar ? scalar.Value : null;
        if (value is long integer)
        {
            return integer;
        }
        // 1.0 and 1e3 are integers too, as JSON Schema has it.
        if (value is double number && number == Math.Truncate(number) && Math.Abs(number) < 9223372036854775808.0)
        {
            return (long)number;
        }
        throw new ApiDecodeException("must be an integer of 64 bits");
    }

    public static double Number(JToken json)
    {
        return json.Type == JTokenType.Float || json.Type == JTokenType.Integer
            ? Convert.ToDouble(((JValue)json).Value is System.Numerics.BigInteger big ? (double)big : ((JValue)json).Value, CultureInfo.InvariantCulture)
            : throw new ApiDecodeException("must be a number");
    }

    public static DateTime Date(JToken json)
    {
        return DateTime.TryParseExact(String(json), "yyyy-MM-dd", CultureInfo.InvariantCulture, DateTimeStyles.None, out var value)
            ? value
            : throw new ApiDecodeException("must be a date (YYYY-MM-DD)");
    }

    public static DateTimeOffset Instant(JToken json)
    {
        var match = Rfc3339.Match(String(json));
        var offset = match.Groups[4].Value.ToUpperInvariant() == "Z" ? "+00:00" : match.Groups[4].Value;
        var text = match.Groups[1].Value + "T" + match.Groups[2].Value + "." + match.Groups[3].Value.PadRight(7, '0') + offset;
        return DateTimeOffset.TryParseExact(
            text, "yyyy-MM-dd'T'HH:mm:ss.fffffffzzz", CultureInfo.InvariantCulture, DateTimeStyles.None, out var value)
            ? value
            : throw new ApiDecodeException("must be a date with time and offset (RFC 3339)");
    }

    public static byte[] Bytes(JToken json)
    {
        try
        {
            return Convert.FromBase64String(String(json));
        }
        catch (FormatException)
        {
            throw new ApiDecodeException("must be Base64");
        }
    }

    public static JToken Any(JToken json)
    {
        return json;
    }

    public static Func<JToken, T> NullableOf<T>(Func<JToken, T> read) where T : class
    {
        return json => IsNull(json) ? null : read(json);
    }

    public static Func<JToken, T?> NullableValueOf<T>(Func<JToken, T> read) where T : struct
    {
        return json => IsNull(json) ? (T?)null : read(json);
    }

    public static Func<JToken, IReadOnlyList<T>> ListOf<T>(Func<JToken, T> read)
    {
        return json =>
        {
            var list = json as JArray ?? throw new ApiDecodeException("must be a list");
            var items = new List<T>(list.Count);
            foreach (var item in list)
            {
                items.Add(Within(items.Count.ToString(CultureInfo.InvariantCulture), item, read));
            }
            return items;
        };
    }

    public static Func<JToken, IReadOnlyDictionary<string, T>> MapOf<T>(Func<JToken, T> read)
    {
        return json => Others(Object(json), new HashSet<string>(), read);
    }

    /// <summary>The text of the field that tells variants apart, or null.</summary>
    public static string Tag(JToken json, string name)
    {
        return json is JObject fields && fields[name] is JValue tag ? Convert.ToString(tag.Value, CultureInfo.InvariantCulture) : null;
    }

    /// <summary>What the first reader makes of it that can make anything of it.</summary>
    public static T FirstOf<T>(JToken json, params Func<JToken, T>[] readers)
    {
        foreach (var read in readers)
        {
            try
            {
                return read(json);
            }
            catch (ApiDecodeException)
            {
                // The next one may take it.
            }
        }
        throw new ApiDecodeException("is none of the types that may stand here");
    }

    /// <summary>Takes only what is one of the known values.</summary>
    public static Func<JToken, T> KnownOf<T>(Func<JToken, T> read, IReadOnlyList<T> known)
    {
        return json =>
        {
            var value = read(json);
            foreach (var one in known)
            {
                if (one.Equals(value))
                {
                    return value;
                }
            }
            throw new ApiDecodeException("is not one of the known values");
        };
    }

    private static bool IsNull(JToken json)
    {
        return json == null || json.Type == JTokenType.Null;
    }

    private static T Within<T>(string name, JToken value, Func<JToken, T> read)
    {
        try
        {
            return read(value);
        }
        catch (ApiDecodeException problem)
        {
            throw problem.Within(name);
        }
    }
}`,
  },
  {
    subNamespace: 'Internal',
    name: 'Write',
    usings: ['System', 'System.Collections.Generic', 'System.Globalization', 'Newtonsoft.Json.Linq', '.'],
    body: String.raw`/// <summary>Writes values as JSON trees.</summary>
internal static class Write
{
    /// <summary>Gives back what is there.</summary>
    public static T Required<T>(T value, string name) where T : class
    {
        return value ?? throw new ArgumentException(name + " is required, and is null");
    }

    public static JToken String(string value)
    {
        return new JValue(Required(value, "a text"));
    }

    public static JToken Boolean(bool value)
    {
        return new JValue(value);
    }

    public static JToken Int32(int value)
    {
        return new JValue((long)value);
    }

    public static JToken Int64(long value)
    {
        return new JValue(value);
    }

    public static JToken Number(double value)
    {
        if (double.IsNaN(value) || double.IsInfinity(value))
        {
            throw new ArgumentException("JSON has no number " + value.ToString(CultureInfo.InvariantCulture));
        }
        // 3 rather than 3.0: some servers take the second for no integer.
        return value == Math.Truncate(value) && Math.Abs(value) < 9007199254740992.0 ? new JValue((long)value) : new JValue(value);
    }

    public static JToken Date(DateTime value)
    {
        return new JValue(value.ToString("yyyy-MM-dd", CultureInfo.InvariantCulture));
    }

    public static JToken Instant(DateTimeOffset value)
    {
        var text = value.ToString("yyyy-MM-dd'T'HH:mm:ss.FFFFFFFzzz", CultureInfo.InvariantCulture);
        return new JValue(text.EndsWith("+00:00", StringComparison.Ordinal) ? text.Substring(0, text.Length - 6) + "Z" : text);
    }

    public static JToken Bytes(byte[] value)
    {
        return new JValue(Convert.ToBase64String(Required(value, "a list of bytes")));
    }

    public static JToken Any(JToken value)
    {
        return value ?? JValue.CreateNull();
    }

    public static JToken Model(IJsonModel value)
    {
        return Required(value, "an object").ToJson();
    }

    public static Func<T, JToken> NullableOf<T>(Func<T, JToken> write) where T : class
    {
        return value => value == null ? JValue.CreateNull() : write(value);
    }

    public static Func<T?, JToken> NullableValueOf<T>(Func<T, JToken> write) where T : struct
    {
        return value => value.HasValue ? write(value.Value) : JValue.CreateNull();
    }

    public static Func<IReadOnlyList<T>, JToken> ListOf<T>(Func<T, JToken> write)
    {
        return values =>
        {
            var json = new JArray();
            foreach (var value in Required(values, "a list"))
            {
                json.Add(write(value));
            }
            return json;
        };
    }

    public static Func<IReadOnlyDictionary<string, T>, JToken> MapOf<T>(Func<T, JToken> write)
    {
        return values =>
        {
            var json = new JObject();
            Others(json, Required(values, "a map"), write);
            return json;
        };
    }

    /// <summary>Fields that a type does not know by name. Those that it does know stay as they are.</summary>
    public static void Others<T>(JObject json, IEnumerable<KeyValuePair<string, T>> values, Func<T, JToken> write)
    {
        foreach (var pair in values ?? new KeyValuePair<string, T>[0])
        {
            if (json.Property(pair.Key) == null)
            {
                json.Add(pair.Key, write(pair.Value));
            }
        }
    }
}`,
  },
  {
    subNamespace: '',
    name: 'IJsonModel',
    usings: ['Newtonsoft.Json.Linq'],
    body: String.raw`/// <summary>What all models of this library have in common.</summary>
public interface IJsonModel
{
    /// <summary>The value as it is sent: without what is only in answers.</summary>
    JToken ToJson();
}`,
  },
  {
    subNamespace: 'Internal',
    name: 'ModelConverter',
    usings: [
      'System',
      'System.Reflection',
      'System.Runtime.ExceptionServices',
      'Newtonsoft.Json',
      'Newtonsoft.Json.Linq',
      '.',
    ],
    body: String.raw`/// <summary>Lets serializers of Newtonsoft.Json read and write models as the client does.</summary>
internal sealed class ModelConverter : JsonConverter
{
    public override bool CanConvert(Type objectType)
    {
        return typeof(IJsonModel).IsAssignableFrom(objectType);
    }

    public override object ReadJson(JsonReader reader, Type objectType, object existingValue, JsonSerializer serializer)
    {
        reader.DateParseHandling = DateParseHandling.None;
        var json = JToken.ReadFrom(reader);
        if (json.Type == JTokenType.Null)
        {
            return null;
        }
        var attributes = (ModelReaderAttribute[])objectType.GetCustomAttributes(typeof(ModelReaderAttribute), false);
        var type = attributes.Length > 0 ? attributes[0].Type : objectType;
        try
        {
            return type.GetMethod("FromJson", BindingFlags.Public | BindingFlags.Static).Invoke(null, new object[] { json });
        }
        catch (TargetInvocationException problem)
        {
            ExceptionDispatchInfo.Capture(problem.InnerException).Throw();
            throw;
        }
    }

    public override void WriteJson(JsonWriter writer, object value, JsonSerializer serializer)
    {
        ((IJsonModel)value).ToJson().WriteTo(writer);
    }
}

/// <summary>Tells where the FromJson of an interface is.</summary>
[AttributeUsage(AttributeTargets.Interface)]
internal sealed class ModelReaderAttribute : Attribute
{
    public ModelReaderAttribute(Type type)
    {
        Type = type;
    }

    public Type Type { get; }
}`,
  },
];
