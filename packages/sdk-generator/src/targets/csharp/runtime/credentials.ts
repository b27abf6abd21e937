import type { CsharpTemplate } from './csharp-template.ts';

/** `Credentials.cs`: how a client shows who it is. Which schemes there are stands in `Scheme.cs`, made for each description. */
export const credentialTemplates: readonly CsharpTemplate[] = [
  {
    subNamespace: 'Internal',
    name: 'Credentials',
    usings: ['System', 'System.Collections.Generic', 'System.Linq', 'System.Text'],
    body: String.raw`/// <summary>What a client shows who it is with.</summary>
internal sealed class Credentials
{
    private readonly Dictionary<Scheme, string> _secrets = new Dictionary<Scheme, string>();

    public void Bearer(string token)
    {
        All(SchemeKind.Bearer, "Bearer " + HeaderValues.Checked("the bearer token", token));
    }

    public void Basic(string name, string password)
    {
        if (name.IndexOf(':') >= 0)
        {
            throw new ArgumentException("The name of basic authentication must not have a colon");
        }
        All(SchemeKind.Basic, "Basic " + Convert.ToBase64String(Encoding.UTF8.GetBytes(name + ":" + password)));
    }

    /// <summary>The key of every scheme that has none of its own.</summary>
    public void ApiKey(string key)
    {
        foreach (var scheme in Scheme.All.Where(one => one.IsApiKey && !_secrets.ContainsKey(one)))
        {
            _secrets[scheme] = scheme.Checked(key);
        }
    }

    public void ApiKey(string schemeKey, string key)
    {
        var scheme = Scheme.All.FirstOrDefault(one => one.IsApiKey && one.Key == schemeKey)
            ?? throw new ArgumentException("There is no scheme for API keys that is called " + schemeKey);
        _secrets[scheme] = scheme.Checked(key);
    }

    /// <summary>Adds what the first alternative asks for that everything is there for. Nothing, where there is no such one.</summary>
    public void Apply(
        IEnumerable<Scheme[]> alternatives, IDictionary<string, string> headers, ICollection<string> query, ICollection<string> cookies)
    {
        var together = alternatives.FirstOrDefault(schemes => schemes.All(_secrets.ContainsKey)) ?? new Scheme[0];
        foreach (var scheme in together)
        {
            scheme.Add(_secrets[scheme], headers, query, cookies);
        }
    }

    private void All(SchemeKind kind, string secret)
    {
        foreach (var scheme in Scheme.All.Where(one => one.Kind == kind))
        {
            _secrets[scheme] = secret;
        }
    }
}`,
  },
];
