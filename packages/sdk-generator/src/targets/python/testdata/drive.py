"""Calls everything of the wide API and prints what came of it. The address is the only argument."""

import datetime
import json
import sys

from wide import ApiError, Client, ConnectionFailedError, DecodeError, FilePart, InvalidRequestError, RequestTimeoutError
from wide import UNSET, models

url = sys.argv[1]
client = Client(url)
day = datetime.date(2024, 2, 29)
outcomes = {}


def error_of(kind, call):
    try:
        call()
    except kind as error:
        return error
    raise AssertionError("nothing was raised")


more = Client(url, headers={"X-More": "yes"})
outcomes["find"] = more.find(
    7,
    ["a/b", "c d"],
    day,
    level=[models.Level.LOW, "new"],
    plain=["a", "b,c"],
    spaced=("a", "b"),
    piped=[1, 2],
    filter=models.Filter(from_=datetime.date(2024, 1, 1), max_size=5, of=models.Filter(max_size=6)),
    flat={"k k": "v&"},
    pairs={"a a": "b,b"},
    json=models.Filter(max_size=5),
    self_=True,
    x_trace=["a", "b"],
    session="s;1",
)
outcomes["findLeast"] = more.find(-1, ["a"], day)
prefs = models.Prefs(a=1, b="x y", gone=None, none=[])
full = models.Prefs(a=1, b="x y", gone=None, half=2.0, inner=models.Filter(max_size=5), list=["p", "q"], none=[])
outcomes["styles"] = client.styles(
    flat=full, joined=full, deep=full, empty=[], many=[], x_none=[], x_map={"k": "ü😀"}, ids=[1, 2], short=[1, 2], prefs=prefs, pair=prefs
)
nothing = models.Prefs(gone=None, none=[])
outcomes["stylesLeast"] = client.styles(
    flat=nothing, joined=nothing, deep=nothing, short=[], prefs=nothing, pair=models.Prefs()
)
outcomes["file"] = client.file("a b/c?.txt")

zone = datetime.timezone(datetime.timedelta(hours=2))
node = models.Node(
    id=9007199254740991,
    class_="learned later",
    made_at=datetime.datetime(2024, 2, 29, 23, 59, 59, 123456, zone),
    day=day,
    note=None,
    comment=None,
    data=b"\x00\x01\xff",
    ratio=2,
    is_open=False,
    children=[models.Node(id=2, class_=models.Level.LOW, comment="text", rank=7)],
    shape=models.Circle(kind="round", radius=1.5),
    value=[1, "a", models.Circle(kind="any", radius=3)],
    labels={"a b": "c"},
    free={"deep": [None]},
    rank=models.Rank.N_1,
    additional={"extra": 5},
)
outcomes["class"] = client.class_(node)
outcomes["sendAny"] = client.send_any(["a", None])
outcomes["sendNull"] = client.send_any(None)

read = client.node()
outcomes["node"] = read.to_json()
child = read.children[0]
assert read.note is None and child.note is UNSET and child.parent is None and child.free is UNSET and child.class_ is models.Level.LOW
assert read.revision == 3 and child.revision == 1 and str(child.class_) == "low"
assert read.children == [models.Node.from_json(dict(child.to_json(), revision=1))]
outcomes["nodeRead"] = [
    read.class_,
    read.made_at.astimezone(datetime.timezone.utc).isoformat().replace("+00:00", "Z"),
    type(read.shape).__name__,
    read.shape.radius,
    child.rank,
    read.additional["extra"],
    read.rank is models.Rank.N_1,
]
values = client.values()
outcomes["values"] = [item.to_json() if isinstance(item, models.Circle) else item for item in values]
assert isinstance(values[3], models.Circle)
square = models.Node(id=1, class_="low", comment=None, shape=models.Square(side=1.0))
assert square.to_json()["shape"] == {"kind": "square", "side": 1.0}
assert square.note is UNSET and "note" not in square.to_json()

outcomes["readings"] = []
while True:
    try:
        outcomes["readings"].append(client.reading(len(outcomes["readings"])).number == 1)
    except DecodeError:
        outcomes["readings"].append(False)
    except ApiError:
        break

alike = client.alike()
assert [type(one).__name__ for one in alike] == ["Failed", "Named", "Named", "Failed", "Named"]
outcomes["alike"] = [one.to_json() for one in alike]
outcomes["sendAlike"] = client.send_alike([models.Failed(code=1, message="x"), models.Named(name="n")])
deep = client.deep()
levels = 0
while deep.inner is not None:
    deep, levels = deep.inner, levels + 1
outcomes["deep"] = [levels, deep.name]
error_of(DecodeError, client.too_deep)
outcomes["tooDeep"] = "decode error"
# As deep as can be read: what nobody knows a type for is found in one go, too.
nested = 5
for level in range(100):
    nested = {"name": 1, "inner": nested}
error_of(DecodeError, lambda: models.Counts.from_json({"name": 1, "inner": nested}))

meta = models.Filter(max_size=5)
where = models.Filter(max_size=5, of=models.Filter(from_=datetime.date(2024, 1, 1)))
form = models.LoginForm(user_name="a b&ü", tag=["x", "y"], ids=[1, 2], piped=[1, 2], where=where, meta=meta)
outcomes["login"] = client.login(form)
pages = [FilePart(b"one", "1.png", "image/png"), FilePart(b"two", "2.png", "image/png")]
photo = FilePart(b"\x00\xff", 'a"b.jpg', "image/jpeg")
outcomes["upload"] = client.upload(models.UploadForm(title_x="T ü", photo=photo, pages=pages, meta=meta, count=3, note=["*a*", "*b*"]))
outcomes["put"] = client.put(b"\x00\xff\r\n")
outcomes["say"] = client.say("ü")
outcomes["import"] = client.import_().hex()
outcomes["text"] = client.text()
outcomes["maybe"] = client.maybe()
outcomes["remove"] = client.remove()

failed = error_of(ApiError, lambda: client.fail("secret", q="secret"))
outcomes["fail"] = [failed.status, failed.headers["x-request"], failed.text, failed.json["code"], str(failed)]
outcomes["moved"] = error_of(ApiError, client.moved).status
hasty = Client(url, timeout=0.3)
for name, call in (("slow", hasty.slow), ("dripping", hasty.dripping)):
    assert isinstance(error_of(RequestTimeoutError, call), TimeoutError)
    outcomes[name] = "time-out"
assert isinstance(error_of(ConnectionFailedError, Client("http://127.0.0.1:1").text), ConnectionError)
outcomes["unreachable"] = "no connection"
outcomes["broken"] = str(error_of(DecodeError, client.broken))
outcomes["noJson"] = str(error_of(DecodeError, client.no_json))

outcomes["eitherNone"] = Client(url, bearer_token="t").either()
outcomes["eitherBasic"] = Client(url, bearer_token="t", basic_auth=("me", "p:w")).either()
outcomes["eitherBoth"] = Client(url, bearer_token="t", api_key="k", basic_auth=("me", "p:w")).either()
outcomes["eitherKeys"] = Client(url, api_keys={"cookieKey": "c", "queryKey": "q&"}).either()
outcomes["token"] = Client(url, bearer_token="t", api_key="k").token()

refused = []
for name, call in {
    "header": lambda: client.find(1, ["a"], day, x_trace=["a\r\nX-Evil: 1"]),
    "header beyond ASCII": lambda: client.find(1, ["a"], day, x_trace=["ü"]),
    "path ..": lambda: client.fail(".."),
    "path empty": lambda: client.find(1, [], day),
    "greedy path": lambda: client.file("a/../b"),
    "token": lambda: Client(url, bearer_token="a\nb"),
}.items():
    error_of(InvalidRequestError, call)
    refused.append(name)
    if name == "header beyond ASCII":
        assert "\n" not in more.find(1, ["a"], day, session="a\r\nb")["headers"]["cookie"]
        refused.append("cookie of two lines is escaped")
outcomes["refused"] = refused
assert str(error_of(InvalidRequestError, lambda: client.class_(models.Node(1, 5, None)))).startswith("body.class: ")
assert "t0ken" not in repr(Client(url, bearer_token="t0ken"))

print(json.dumps(outcomes))
