// Calls everything of the wide API and prints what came of it. The address is the only argument.
package main

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"example.com/wide"
)

var ctx = context.Background()

func clientWith(options wide.Options) *wide.Client {
	if options.BaseURL == "" {
		options.BaseURL = os.Args[1]
	}
	return must(wide.NewClient(options))
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func check(ok bool, what string) {
	if !ok {
		panic(what)
	}
}

func as[T error](err error) T {
	var found T
	if !errors.As(err, &found) {
		panic(fmt.Sprintf("another error: %v", err))
	}
	return found
}

func plain(value any) any {
	var read any
	data := must(json.Marshal(value))
	check(json.Unmarshal(data, &read) == nil, "JSON")
	return read
}

// What the client calls itself.
func agentOf(options wide.Options) string {
	agents := agentTransport{}
	options.HTTPClient = &http.Client{Transport: agents}
	check(clientWith(options).Remove(ctx) != nil, "no answer")
	return strings.Join(agents["sent"], ", ")
}

type agentTransport map[string][]string

func (t agentTransport) RoundTrip(request *http.Request) (*http.Response, error) {
	t["sent"] = request.Header["User-Agent"]
	return nil, errors.New("nothing is sent")
}

var nothing = wide.Prefs{Gone: wide.SetToNull[string](), None: []string{}}

func styles(client *wide.Client) any {
	prefs := wide.Prefs{A: wide.Ptr(int64(1)), B: wide.Ptr("x y"), Gone: wide.SetToNull[string](), None: []string{}}
	full := prefs
	full.Half, full.List = wide.Ptr(2.0), []string{"p", "q"}
	full.Inner = &wide.Filter{MaxSize: wide.Ptr(int64(5))}
	return must(client.Styles(ctx, &wide.StylesParams{
		Flat: &full, Joined: &full, Deep: &full,
		Empty: []string{}, Many: []string{}, XNone: []string{}, XMap: map[string]string{"k": "ü😀"},
		IDs: []int64{1, 2}, Short: []int64{1, 2}, Prefs: &prefs, Pair: &prefs,
	}))
}

// Whether each answer can be read.
func readings(client *wide.Client) []bool {
	var read []bool
	for {
		reading, err := client.Reading(ctx, int64(len(read)))
		var failed *wide.APIError
		if errors.As(err, &failed) {
			return read
		}
		if err != nil {
			as[*wide.DecodeError](err)
		}
		read = append(read, err == nil && reading.Number == 1)
	}
}

func main() {
	client := clientWith(wide.Options{})
	outcomes := map[string]any{}
	day := wide.Date{Year: 2024, Month: 2, Day: 29}
	more := clientWith(wide.Options{Header: http.Header{"X-More": {"yes"}}})
	meta := wide.Filter{MaxSize: wide.Ptr(int64(5))}

	outcomes["find"] = must(more.Find(ctx, 7, []string{"a/b", "c d"}, day, &wide.FindParams{
		Level:   []wide.Level{wide.LevelLow, "new"},
		Plain:   []string{"a", "b,c"},
		Spaced:  []string{"a", "b"},
		Piped:   []int64{1, 2},
		Filter:  &wide.Filter{From: &wide.Date{Year: 2024, Month: 1, Day: 1}, MaxSize: wide.Ptr(int64(5)), Of: &wide.Filter{MaxSize: wide.Ptr(int64(6))}},
		Flat:    map[string]string{"k k": "v&"},
		Pairs:   map[string]string{"a a": "b,b"},
		JSON:    &meta,
		Self:    wide.Ptr(true),
		XTrace:  []string{"a", "b"},
		Session: wide.Ptr("s;1"),
	}))
	outcomes["findLeast"] = must(more.Find(ctx, -1, []string{"a"}, day, nil))
	outcomes["styles"] = styles(client)
	outcomes["stylesLeast"] = must(client.Styles(ctx, &wide.StylesParams{
		Flat: &nothing, Joined: &nothing, Deep: &nothing, Short: []int64{}, Prefs: &nothing, Pair: &wide.Prefs{},
	}))
	outcomes["file"] = must(client.File(ctx, "a b/c?.txt"))

	zone := time.FixedZone("", 2*60*60)
	node := wide.Node{
		ID:       9007199254740991,
		Class:    "learned later",
		MadeAt:   wide.Ptr(time.Date(2024, 2, 29, 23, 59, 59, 123456000, zone)),
		Day:      &day,
		Note:     wide.SetToNull[string](),
		Data:     []byte{0, 1, 255},
		Ratio:    wide.Ptr(2.0),
		IsOpen:   wide.Ptr(false),
		Children: []wide.Node{{ID: 2, Class: wide.LevelLow, Comment: wide.Ptr("text"), Rank: wide.Ptr(wide.Rank(7))}},
		Shape:    &wide.Shape{Circle: &wide.Circle{Kind: "round", Radius: 1.5}},
		Value: &wide.Value{Values: &[]wide.Value{
			{Integer: wide.Ptr(int64(1))}, {String: wide.Ptr("a")}, {Circle: &wide.Circle{Kind: "any", Radius: 3}},
		}},
		Labels:     map[string]string{"a b": "c"},
		Free:       map[string]any{"deep": []any{nil}},
		Rank:       wide.Ptr(wide.Rank1),
		Additional: map[string]int64{"extra": 5},
	}
	outcomes["class"] = must(client.Class(ctx, node))
	outcomes["sendAny"] = must(client.SendAny(ctx, []*string{wide.Ptr("a"), nil}))
	outcomes["sendNull"] = must(client.SendAny(ctx, nil))

	read := must(client.Node(ctx))
	outcomes["node"] = plain(read)
	child := read.Children[0]
	check(read.Note.IsNull() && !child.Note.IsSet() && child.Parent == nil && child.Free == nil, "absent and null")
	check(*read.Revision == 3 && *child.Revision == 1 && read.ID == 9007199254740991, "numbers")
	outcomes["nodeRead"] = []any{
		read.Class,
		read.MadeAt.UTC().Format(time.RFC3339Nano),
		strings.TrimPrefix(fmt.Sprintf("%T", *read.Shape.Circle), "wide."),
		read.Shape.Circle.Radius,
		*child.Rank,
		read.Additional["extra"],
		*read.Rank == wide.Rank1,
	}
	values := must(client.Values(ctx))
	outcomes["values"] = plain(values)
	check(*values[0].String == "a" && *values[1].Integer == 1 && values[3].Circle != nil, "values")
	square := plain(wide.Node{Shape: &wide.Shape{Square: &wide.Square{Side: 1}}}).(map[string]any)
	check(square["shape"].(map[string]any)["kind"] == "square" && square["note"] == nil, "discriminator")

	outcomes["readings"] = readings(client)

	alike := must(client.Alike(ctx))
	outcomes["alike"] = plain(alike)
	check(alike[0].Failed != nil && alike[1].Named != nil && alike[2].Named != nil && alike[3].Failed != nil, "alike")
	outcomes["sendAlike"] = must(client.SendAlike(ctx, []wide.Alike{
		{Failed: &wide.Failed{Code: wide.Ptr(int64(1)), Message: wide.Ptr("x")}}, {Named: &wide.Named{Name: wide.Ptr("n")}},
	}))
	deep := must(client.Deep(ctx))
	levels := 0
	for ; deep.Counts != nil; levels++ {
		deep = deep.Counts.Inner
	}
	outcomes["deep"] = []any{levels, deep.Texts.Name}
	_, err := client.TooDeep(ctx)
	as[*wide.DecodeError](err)
	outcomes["tooDeep"] = "decode error"

	outcomes["login"] = must(client.Login(ctx, wide.LoginForm{
		UserName: "a b&ü", Tag: []string{"x", "y"}, IDs: []int64{1, 2}, Piped: []int64{1, 2},
		Where: &wide.Filter{MaxSize: wide.Ptr(int64(5)), Of: &wide.Filter{From: &wide.Date{Year: 2024, Month: 1, Day: 1}}},
		Meta:  &meta,
	}))
	outcomes["upload"] = must(client.Upload(ctx, wide.UploadForm{
		TitleX: "T ü",
		Photo:  wide.FilePart{Name: "a\"b.jpg", ContentType: "image/jpeg", Content: bytes.NewReader([]byte{0, 255})},
		Pages: []wide.FilePart{
			{Name: "1.png", Content: strings.NewReader("one")}, {Name: "2.png", Content: strings.NewReader("two")},
		},
		Meta:  &meta,
		Count: wide.Ptr(int64(3)),
		Note:  []string{"*a*", "*b*"},
	}))
	outcomes["put"] = must(client.Put(ctx, bytes.NewReader([]byte{0, 255, '\r', '\n'})))
	outcomes["say"] = must(client.Say(ctx, "ü"))
	file := must(client.Import(ctx))
	outcomes["import"] = hex.EncodeToString(must(io.ReadAll(file)))
	check(file.Close() == nil, "close")
	outcomes["text"] = must(client.Text(ctx))
	outcomes["maybe"] = must(client.Maybe(ctx))
	check(client.Remove(ctx) == nil, "remove")
	outcomes["remove"] = nil

	_, err = client.Fail(ctx, "secret", &wide.FailParams{Q: wide.Ptr("secret")})
	failed := as[*wide.APIError](err)
	var body struct{ Code string }
	check(failed.JSON(&body) == nil, "body")
	outcomes["fail"] = []any{failed.StatusCode, failed.Header.Get("X-Request"), string(failed.Body), body.Code, failed.Error()}
	_, err = client.Moved(ctx)
	outcomes["moved"] = as[*wide.APIError](err).StatusCode

	hasty := clientWith(wide.Options{Timeout: 300 * time.Millisecond})
	_, err = hasty.Slow(ctx)
	check(as[*wide.RequestError](err).Timeout(), "slow")
	outcomes["slow"] = "time-out"
	_, err = hasty.Dripping(ctx)
	check(as[*wide.RequestError](err).Timeout(), "dripping")
	outcomes["dripping"] = "time-out"
	_, err = clientWith(wide.Options{BaseURL: "http://127.0.0.1:1", APIKey: "secret"}).Either(ctx)
	check(!as[*wide.RequestError](err).Timeout() && !strings.Contains(err.Error(), "secret"), "unreachable")
	outcomes["unreachable"] = "no connection"
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	_, err = client.Text(canceled)
	check(errors.Is(err, context.Canceled), "canceled")
	_, err = client.Broken(ctx)
	outcomes["broken"] = as[*wide.DecodeError](err).Error()
	_, err = client.NoJSON(ctx)
	outcomes["noJson"] = as[*wide.DecodeError](err).Error()

	outcomes["eitherNone"] = must(clientWith(wide.Options{BearerToken: "t"}).Either(ctx))
	outcomes["eitherBasic"] = must(clientWith(wide.Options{BearerToken: "t", Username: "me", Password: "p:w"}).Either(ctx))
	outcomes["eitherBoth"] = must(clientWith(wide.Options{BearerToken: "t", APIKey: "k", Username: "me"}).Either(ctx))
	outcomes["eitherKeys"] = must(clientWith(wide.Options{APIKeys: map[string]string{"cookieKey": "c", "queryKey": "q&"}}).Either(ctx))
	outcomes["token"] = must(clientWith(wide.Options{BearerToken: "t", APIKey: "k"}).Token(ctx))

	_, err = client.Find(ctx, 1, []string{"a"}, day, &wide.FindParams{XTrace: []string{"a\r\nX-Evil: 1"}})
	as[*wide.InvalidValueError](err)
	_, err = client.Find(ctx, 1, []string{"a"}, day, &wide.FindParams{XTrace: []string{"ü"}})
	as[*wide.InvalidValueError](err)
	twoLines := must(client.Find(ctx, 1, []string{"a"}, day, &wide.FindParams{Session: wide.Ptr("a\r\nb")}))
	check(!strings.Contains(fmt.Sprint(twoLines), "\n"), "cookie")
	_, err = client.Fail(ctx, "..", nil)
	as[*wide.InvalidValueError](err)
	_, err = client.Find(ctx, 1, nil, day, nil)
	as[*wide.InvalidValueError](err)
	_, err = client.File(ctx, "a/../b")
	as[*wide.InvalidValueError](err)
	_, err = wide.NewClient(wide.Options{BaseURL: os.Args[1], BearerToken: "a\nb"})
	as[*wide.InvalidValueError](err)
	outcomes["refused"] = []string{"header", "header beyond ASCII", "cookie of two lines is escaped", "path ..", "path empty", "greedy path", "token"}

	check(agentOf(wide.Options{}) == "wide/1.2.0", "the name of the client")
	check(agentOf(wide.Options{Header: http.Header{"user-agent": {"mine/1"}}}) == "mine/1", "a name of its own")

	fmt.Println(string(must(json.Marshal(outcomes))))
}
