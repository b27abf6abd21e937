import type { CsharpTemplate } from './csharp-template.ts';

/** `ReadUnions.cs`: JSON trees to values of one of several types. */
export const readUnionTemplates: readonly CsharpTemplate[] = [
  {
    subNamespace: 'Internal',
    name: 'ReadUnions',
    usings: [
      'System',
      'System.Collections.Generic',
      'System.Globalization',
      'System.Linq',
      'Newtonsoft.Json.Linq',
      '.',
    ],
    body: String.raw`internal static partial class Read
{
    /// <summary>
    /// What came of the objects and lists of the union that is being read now, by the union: where unions are in unions, they would be
    /// read anew for each type of each level.
    /// </summary>
    [ThreadStatic]
    private static Dictionary<JContainer, Dictionary<Type, object>> _outcomes;

    /// <summary>What came of it where no type of the union fits.</summary>
    private static readonly object None = new object();

    /// <summary>One of the types of a union, and what it knows of a value.</summary>
    internal struct Candidate<T>
    {
        public Candidate(Func<JToken, T> read, string[] required, HashSet<string> known)
        {
            From = read;
            Required = required;
            Known = known;
        }

        public Func<JToken, T> From { get; }

        private string[] Required { get; }

        private HashSet<string> Known { get; }

        /// <summary>How many of its fields the type knows; -1 where it misses one.</summary>
        public int KnownFields(JToken json)
        {
            if (Known == null)
            {
                return 0;
            }
            var fields = json as JObject;
            if (fields == null || Required.Any(name => fields.Property(name) == null))
            {
                return -1;
            }
            var known = Known;
            return fields.Properties().Count(field => known.Contains(field.Name));
        }
    }

    public static Candidate<T> Variant<T>(Func<JToken, T> read)
    {
        return new Candidate<T>(read, null, null);
    }

    /// <summary>An object with fields that must be there, and those that it knows.</summary>
    public static Candidate<T> Variant<T>(Func<JToken, T> read, string[] required, HashSet<string> known)
    {
        return new Candidate<T>(read, required, known);
    }

    /// <summary>The text of the field that tells variants apart, or null.</summary>
    public static string Tag(JToken json, string name)
    {
        return json is JObject fields && fields[name] is JValue tag ? Convert.ToString(tag.Value, CultureInfo.InvariantCulture) : null;
    }

    /// <summary>
    /// What the type makes of it that can make anything of it and knows most of it: an object whose fields may all be absent takes
    /// every other one, and would leave out all that it does not know.
    /// </summary>
    public static T FirstOf<T>(JToken json, params Candidate<T>[] candidates)
    {
        var container = json as JContainer;
        if (container == null)
        {
            return Tried(json, candidates);
        }
        var isOutermost = _outcomes == null;
        if (isOutermost)
        {
            _outcomes = new Dictionary<JContainer, Dictionary<Type, object>>();
        }
        try
        {
            return Remembered(container, candidates);
        }
        finally
        {
            if (isOutermost)
            {
                _outcomes = null;
            }
        }
    }

    private static T Remembered<T>(JContainer json, Candidate<T>[] candidates)
    {
        if (!_outcomes.TryGetValue(json, out var outcomes))
        {
            outcomes = new Dictionary<Type, object>();
            _outcomes.Add(json, outcomes);
        }
        if (!outcomes.TryGetValue(typeof(T), out var outcome))
        {
            try
            {
                outcome = Tried(json, candidates);
            }
            catch (ApiDecodeException)
            {
                outcome = None;
            }
            outcomes[typeof(T)] = outcome;
        }
        return ReferenceEquals(outcome, None) ? throw NoType() : (T)outcome;
    }

    private static T Tried<T>(JToken json, Candidate<T>[] candidates)
    {
        // Equals stay in their order.
        var ordered = candidates
            .Select(candidate => new KeyValuePair<int, Func<JToken, T>>(candidate.KnownFields(json), candidate.From))
            .Where(candidate => candidate.Key >= 0)
            .OrderByDescending(candidate => candidate.Key);
        foreach (var candidate in ordered)
        {
            try
            {
                return candidate.Value(json);
            }
            catch (ApiDecodeException)
            {
                // The next one may take it.
            }
        }
        throw NoType();
    }

    private static ApiDecodeException NoType()
    {
        return new ApiDecodeException("is none of the types that may stand here");
    }
}`,
  },
];
