/** `send.go`: credentials, sending, and reading of answers. */
export const sendFile: string = String.raw`import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

const defaultTimeout = 30 * time.Second

// A way to show who calls.
type scheme struct {
	key   string
	kind  string
	place string
	name  string
}

type credential struct {
	scheme scheme
	value  string
}

func checkedBaseURL(text string) (string, error) {
	address, err := url.Parse(text)
	if err != nil || address.Scheme != "http" && address.Scheme != "https" || address.Host == "" {
		return "", errors.New("the base URL must be an absolute http or https URL")
	}
	if address.User != nil || address.RawQuery != "" || address.Fragment != "" {
		return "", errors.New("the base URL must have neither credentials, query nor fragment")
	}
	return strings.TrimRight(text, "/"), nil
}

func basicCredential(username, password string) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(username+":"+password))
}

// A client that follows no redirects: a credential must not go to another host.
func httpClientOf(given *http.Client, timeout time.Duration) *http.Client {
	client := http.Client{}
	if given != nil {
		client = *given
	}
	if timeout == 0 && client.Timeout == 0 {
		timeout = defaultTimeout
	}
	if timeout > 0 {
		client.Timeout = timeout
	}
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &client
}

// The first alternative for which there is everything.
func (c *Client) credentialsFor(security [][]string) []credential {
	for _, keys := range security {
		var found []credential
		for _, key := range keys {
			if held, isThere := c.credentials[key]; isThere {
				found = append(found, held)
			}
		}
		if len(found) == len(keys) {
			return found
		}
	}
	return nil
}

func (c *Client) send(ctx context.Context, r *request, accept string) (*http.Response, error) {
	for _, held := range c.credentialsFor(r.security) {
		switch held.scheme.place {
		case "query":
			r.query = append(r.query, percentEncoded(held.scheme.name)+"="+percentEncoded(held.value))
		case "cookie":
			r.cookies = append(r.cookies, percentEncoded(held.scheme.name)+"="+percentEncoded(held.value))
		default:
			r.setHeader(held.scheme.name, held.value)
		}
	}
	if len(r.cookies) > 0 {
		r.setHeader("Cookie", strings.Join(r.cookies, "; "))
	}
	if r.err != nil {
		return nil, r.err
	}
	address := c.baseURL + r.path.String()
	if len(r.query) > 0 {
		address += "?" + strings.Join(r.query, "&")
	}
	req, err := http.NewRequestWithContext(ctx, r.method, address, r.body)
	if err != nil {
		return nil, &RequestError{r.method, r.template, withoutURL(err)}
	}
	req.Header.Set("User-Agent", userAgent)
	for name, values := range c.header {
		req.Header[http.CanonicalHeaderKey(name)] = values
	}
	if accept != "" {
		req.Header.Set("Accept", accept)
	}
	for name, values := range r.header {
		req.Header[name] = values
	}
	response, err := c.httpClient.Do(req)
	if err != nil {
		return nil, &RequestError{r.method, r.template, withoutURL(err)}
	}
	if response.StatusCode < 200 || response.StatusCode > 299 {
		body, err := readBody(r, response)
		if err != nil {
			return nil, err
		}
		return nil, &APIError{r.method, r.template, response.StatusCode, response.Header, body}
	}
	return response, nil
}

func readBody(r *request, response *http.Response) ([]byte, error) {
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, &RequestError{r.method, r.template, withoutURL(err)}
	}
	return body, nil
}

// An address may have a credential in its query: errors must not repeat it.
func withoutURL(err error) error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		return wrapped.Err
	}
	return err
}

func (c *Client) none(ctx context.Context, r *request) error {
	response, err := c.send(ctx, r, "")
	if err != nil {
		return err
	}
	_, err = readBody(r, response)
	return err
}

func (c *Client) bytes(ctx context.Context, r *request, accept string) ([]byte, error) {
	response, err := c.send(ctx, r, accept)
	if err != nil {
		return nil, err
	}
	return readBody(r, response)
}

// Reads the answer into target, and says whether there was one where it may be empty.
func (c *Client) json(ctx context.Context, r *request, accept string, mayBeEmpty bool, target any) (bool, error) {
	body, err := c.bytes(ctx, r, accept)
	if err != nil {
		return false, err
	}
	if mayBeEmpty && len(bytes.TrimSpace(body)) == 0 {
		return false, nil
	}
	if err := decodeJSON(body, target); err != nil {
		operation := fmt.Sprintf("%s %s", r.method, r.template)
		var decode *DecodeError
		if errors.As(err, &decode) {
			return false, &DecodeError{operation, decode.Place, decode.Reason}
		}
		return false, &DecodeError{operation, "", err.Error()}
	}
	return true, nil
}

func (c *Client) stream(ctx context.Context, r *request, accept string) (io.ReadCloser, error) {
	response, err := c.send(ctx, r, accept)
	if err != nil {
		return nil, err
	}
	return response.Body, nil
}
`;
