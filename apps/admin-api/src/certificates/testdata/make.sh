#!/bin/sh
# Makes the certificates of the tests anew, with OpenSSL 3. They are for nothing else: their keys are public.
set -eu
cd "$(dirname "$0")"
days=36500
ec() { openssl genpkey -quiet -algorithm EC -pkeyopt ec_paramgen_curve:"$2" -out "$1.key"; }
rsa() { openssl genpkey -quiet -algorithm RSA -pkeyopt rsa_keygen_bits:"$2" -out "$1.key"; }
# self NAME SUBJECT EXTENSION
self() { openssl req -x509 -new -key "$1.key" -subj "$2" -days $days -addext "$3" -out "$1.pem"; }
# signed NAME SUBJECT EXTENSION ISSUER
signed() {
  openssl req -new -key "$1.key" -subj "$2" |
    openssl x509 -req -CA "$4.pem" -CAkey "$4.key" -days $days -extfile "$3" -out "$1.pem" 2>/dev/null
}
printf 'basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign,cRLSign\n' >authority.ext
printf 'basicConstraints=critical,CA:FALSE\nsubjectAltName=DNS:a.test\n' >leaf.ext

ec root prime256v1
self root '/O=Portcullis tests/CN=Root' 'keyUsage=critical,keyCertSign,cRLSign'
ec intermediate prime256v1
signed intermediate '/O=Portcullis tests/CN=Intermediate' authority.ext root
rsa rsa-leaf 2048
signed rsa-leaf '/C=DE/O=Acme, Inc./CN=a.test' leaf.ext intermediate
ec ecdsa-leaf prime256v1
signed ecdsa-leaf '/CN=a.test' leaf.ext intermediate
openssl genpkey -quiet -algorithm ED25519 -out ed25519-leaf.key
signed ed25519-leaf '/CN=a.test' leaf.ext intermediate
rsa weak 1024
self weak '/CN=weak.test' 'subjectAltName=DNS:weak.test'
ec odd-curve secp256k1
self odd-curve '/CN=odd.test' 'subjectAltName=DNS:odd.test'
ec expired prime256v1
openssl req -x509 -new -key expired.key -subj '/CN=expired.test' -not_before 20200101000000Z -not_after 20200201000000Z \
  -out expired.pem 2>/dev/null || {
  openssl req -new -key expired.key -subj '/CN=expired.test' -out expired.csr
  : >index.txt
  printf '01\n' >serial
  printf '[ca]\ndefault_ca=c\n[c]\ndatabase=index.txt\nserial=serial\nnew_certs_dir=.\ndefault_md=sha256\npolicy=p\n[p]\ncommonName=supplied\n' >ca.cnf
  openssl ca -batch -config ca.cnf -selfsign -keyfile expired.key -in expired.csr -notext \
    -startdate 20200101000000Z -enddate 20200201000000Z -out expired.pem 2>/dev/null
  rm -f expired.csr index.txt* serial* ca.cnf 01.pem
}
openssl pkcs8 -topk8 -in ecdsa-leaf.key -passout pass:secret -out encrypted-pkcs8.key
openssl rsa -in rsa-leaf.key -traditional -out rsa-leaf.pkcs1.key 2>/dev/null
openssl rsa -in rsa-leaf.key -traditional -aes128 -passout pass:secret -out encrypted-pkcs1.key 2>/dev/null
{ openssl ecparam -name prime256v1; openssl ec -in ecdsa-leaf.key 2>/dev/null; } >ecdsa-leaf.sec1.key
rm -f authority.ext leaf.ext intermediate.key root.key weak.key odd-curve.key ./*.srl
