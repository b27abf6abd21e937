#!/usr/bin/env python3
"""An independent verifier of audit chains, standard library only. It shares no code with the package.

verify.py v1.json                               checks every vector; exit 0 if all agree, 1 if not
verify.py EXPORT.ndjson KEY CHECKPOINT_FILE...  checks an export of all tenants; exit 0 valid, 2 tampered,
                                                3 for a log whose beginning was deleted, or saved lines of JSON in place of notes
It says whether a log holds, and not what was done to it. Signatures: Ed25519, RFC 8032, in the plain form of its section 6.
"""
import base64, hashlib, json, sys

def sha(*parts):
    return hashlib.sha256(b"".join(parts)).digest()

# -- canonical JSON (RFC 8785). Numbers: Python writes the same digits, in another form.
def number(value):
    if isinstance(value, int) and abs(value) < 10 ** 21: return str(value)
    if value == 0: return "0"
    mantissa, _, exponent = repr(float(abs(value))).partition("e")
    whole, _, part = mantissa.partition(".")
    digits, point = (whole + part.rstrip("0") if part != "0" else whole), len(whole) + int(exponent or 0)
    point -= len(digits) - len(digits.lstrip("0"))
    digits = digits.lstrip("0")
    bare = digits.rstrip("0") or "0"
    if 0 < point <= 21: text = bare[:point].ljust(point, "0") + ("." + bare[point:] if bare[point:] else "")
    elif -6 < point <= 0: text = "0." + "0" * -point + bare
    else: text = bare[0] + ("." + bare[1:] if bare[1:] else "") + "e%+d" % (point - 1)
    return "-" + text if value < 0 else text

def jcs(value):
    if value is None or isinstance(value, (bool, str)): return json.dumps(value, ensure_ascii=False)
    if isinstance(value, (int, float)): return number(value)
    if isinstance(value, list): return "[" + ",".join(map(jcs, value)) + "]"
    keys = sorted(value, key=lambda key: key.encode("utf-16-be"))
    return "{" + ",".join(jcs(key) + ":" + jcs(value[key]) for key in keys) + "}"

# -- hashes
def content_hash(canonical):
    data = canonical.encode()
    return sha(b"portcullis/audit/v1/content\0", len(data).to_bytes(4, "big"), data)

def audit_hash(tenant, sequence, previous, content):
    return sha(b"portcullis/audit/v1/tenant\0", sha(tenant.encode()), sequence.to_bytes(8, "big"), previous, content)

def global_hash(sequence, previous, tenant, audit):
    return sha(b"portcullis/audit/v1/global\0", sequence.to_bytes(8, "big"), previous, sha(tenant.encode()), audit)

def leaf(audit): return sha(b"\0", audit)
def node(left, right): return sha(b"\1", left, right)

def root(leaves):
    if not leaves: return sha(b"")
    if len(leaves) == 1: return leaves[0]
    split = 1 << (len(leaves) - 1).bit_length() - 1
    return node(root(leaves[:split]), root(leaves[split:]))

# -- proofs, by the recursion of RFC 6962, 2.1 (the package goes by the loop of RFC 9162)
def included(index, size, hash_, proof):
    if not 0 <= index < size or (size > 1) != bool(proof): return None
    if size == 1: return hash_ if not proof else None
    split = 1 << (size - 1).bit_length() - 1
    if index < split:
        left = included(index, split, hash_, proof[:-1])
        return left and node(left, proof[-1])
    right = included(index - split, size - split, hash_, proof[:-1])
    return right and node(proof[-1], right)

def consistent(old, new, proof, known):
    """Both roots that the proof leads to; `known` is the older root as long as the older tree is a left part."""
    if old == new: return ((known, known) if not proof else (None, None)) if known else ((proof[0],) * 2 if len(proof) == 1 else (None, None))
    if not proof: return None, None
    split = 1 << (new - 1).bit_length() - 1
    if old <= split:
        first, second = consistent(old, split, proof[:-1], known)
        return (first, second and node(second, proof[-1]))
    first, second = consistent(old - split, new - split, proof[:-1], None)
    return (first and node(proof[-1], first), second and node(proof[-1], second))

# -- Ed25519 (RFC 8032, 6)
P, Q = 2 ** 255 - 19, 2 ** 252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P

def add(a, b):
    e, f = (a[1] - a[0]) * (b[1] - b[0]) % P, (a[1] + a[0]) * (b[1] + b[0]) % P
    g, h = 2 * a[3] * b[3] * D % P, 2 * a[2] * b[2] % P
    w, x, y, z = f - e, h - g, h + g, f + e
    return w * x % P, y * z % P, x * y % P, w * z % P

def times(scalar, point):
    result = (0, 1, 1, 0)
    while scalar:
        if scalar & 1: result = add(result, point)
        point, scalar = add(point, point), scalar >> 1
    return result

def decode(data):
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & (1 << 255) - 1
    x2 = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(x2, (P + 3) // 8, P)
    if (x * x - x2) % P: x = x * pow(2, (P - 1) // 4, P) % P
    if (x * x - x2) % P or y >= P: raise ValueError("no point")
    if x & 1 != sign: x = P - x
    return x, y, 1, x * y % P

BASE = decode((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))

def signed(public, message, signature):
    try: a, r = decode(public), decode(signature[:32])
    except ValueError: return False
    s = int.from_bytes(signature[32:], "little")
    h = int.from_bytes(hashlib.sha512(signature[:32] + public + message).digest(), "little") % Q
    left, right = times(s, BASE), add(r, times(h, a))
    return len(signature) == 64 and s < Q and not any((left[i] * right[2] - right[i] * left[2]) % P for i in (0, 1))

def open_note(note, key):
    """The size and root of a checkpoint that the key signed, or None."""
    name, key_id, public = key.split("+", 2)
    text, _, lines = note.rpartition("\n\n")
    for line in lines.splitlines():
        dash, signer, data = line.split(" ")
        data = base64.b64decode(data)
        if dash != "\u2014" or signer != name or data[:4].hex() != key_id: continue
        if not signed(base64.b64decode(public)[1:], (text + "\n").encode(), data[4:]): return None
        origin, size, root_ = text.split("\n")[:3]
        return origin, int(size), base64.b64decode(root_)
    return None

# -- whole logs
def shown_as_hashed(record, fields):
    values, disclosures = {}, record.get("disclosures", {})
    for name, value in disclosures.items():
        if name not in ("before", "after", "metadata", "source_ip", "actor_username"): return False
        if value is None: continue
        values[name] = value["value"]
        if fields.get(name) != {"c": sha(bytes.fromhex(value["salt"]), jcs(value["value"]).encode()).hex()}: return False
    hidden = {name: values.get(name) for name in disclosures}
    return all({**record, **fields, **hidden}.get(name) == value for name, value in record.get("displayed", {}).items())

def log_holds(text, scope, checkpoints, newest, key):
    notes = [open_note(note, key) for note in checkpoints + ([newest] if newest else [])]
    if None in notes or len({origin for origin, _, _ in notes}) > 1: return False
    if newest and notes[-1][1] < max(size for _, size, _ in notes): return False
    heads, leaves = {}, []
    for line in text.splitlines():
        record = json.loads(line)
        fields = json.loads(record["canonical"])
        tenant = fields.get("tenant_id") or ""
        content, previous = content_hash(record["canonical"]), bytes.fromhex(record["previous_hash"])
        audit = audit_hash(tenant, record["tenant_sequence"], previous, content)
        before = bytes.fromhex(record["global_previous_hash"])
        links = [("tenant " + tenant, record["tenant_sequence"], previous, audit, "audit_hash"),
                 ("global", record["global_sequence"], before, global_hash(record["global_sequence"], before, tenant, audit), "global_hash")]
        for chain, sequence, came, hash_, name in links:
            if hash_.hex() != record[name]: return False
            if chain == "global" and scope is not None: continue
            if (sequence - 1, came) != heads.get(chain, (0, bytes(32))): return False
            heads[chain] = sequence, hash_
        if jcs(record) != line or jcs(fields) != record["canonical"] or scope not in (None, tenant): return False
        if not shown_as_hashed(record, fields): return False
        leaves.append(leaf(audit))
    return all(size <= len(leaves) and root(leaves[:size]) == root_ for _, size, root_ in notes)

# -- vectors
def vectors(path):
    data = json.load(open(path, encoding="utf-8"))
    key, unhex = data["keys"][0], bytes.fromhex
    checks = [(f"canonical {n}", jcs(v["value"]) == v["canonical"] and content_hash(v["canonical"]).hex() == v["content_hash"])
              for n, v in enumerate(data["canonical"])]
    for n, v in enumerate(data["commitments"]):
        checks.append((f"commitment {n}", {"c": sha(unhex(v["salt"]), jcs(v["value"]).encode()).hex()} == v["commitment"]))
    leaves = []
    for v in data["records"]:
        record = json.loads(v["line"])
        content = content_hash(record["canonical"])
        audit = audit_hash(v["tenant_id"], record["tenant_sequence"], unhex(record["previous_hash"]), content)
        all_ = global_hash(record["global_sequence"], unhex(record["global_previous_hash"]), v["tenant_id"], audit)
        leaves.append(leaf(audit))
        found = [content.hex(), audit.hex(), all_.hex(), leaves[-1].hex()]
        checks.append((v["line"][:40], found == [v[name] for name in ("content_hash", "audit_hash", "global_hash", "leaf_hash")]))
    checks += [(f"tree {v['size']}", root(leaves[:v["size"]]).hex() == v["root"]) for v in data["trees"]]
    for v in data["inclusion"]:
        found = included(v["index"], v["size"], unhex(v["leaf"]), [unhex(hash_) for hash_ in v["proof"]])
        checks.append((f"inclusion {v['index']} of {v['size']}", (found == unhex(v["root"])) == v["valid"]))
    for v in data["consistency"]:
        found = consistent(v["from"], v["to"], [unhex(hash_) for hash_ in v["proof"]], unhex(v["from_root"]))
        checks.append((f"consistency {v['from']} to {v['to']}", (found == (unhex(v["from_root"]), unhex(v["to_root"]))) == v["valid"]))
    for n, v in enumerate(data["notes"]):
        opened = open_note(v["note"], key)
        checks.append((f"note {n}", (opened is not None) == v["valid"] and (not opened or opened[1:] == (v["size"], unhex(v["root"])))))
    for v in data["logs"]:
        text = "".join(data["lines"][n] + "\n" for n in v["lines"])
        holds = log_holds(text, v["scope"], v["checkpoints"], v.get("newest"), key)
        checks.append(("log: " + v["name"], holds == (v["outcome"] == "valid")))
    for name in (name for name, agrees in checks if not agrees): print("disagrees:", name)
    print(f"{sum(agrees for _, agrees in checks)} of {len(checks)} vectors agree")
    return 0 if all(agrees for _, agrees in checks) else 1

if __name__ == "__main__":
    if len(sys.argv) == 2: sys.exit(vectors(sys.argv[1]))
    notes = [open(path, encoding="utf-8", newline="").read() for path in sys.argv[3:]]
    log = open(sys.argv[1], encoding="utf-8", newline="").read()
    if log.startswith('{"base"') or any(note.startswith("{") for note in notes):
        print("cannot decide: whole logs over all tenants and bare notes only")
        sys.exit(3)
    holds = log_holds(log, None, notes, None, sys.argv[2])
    print("valid" if holds else "tampered")
    sys.exit(0 if holds else 2)
