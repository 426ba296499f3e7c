#!/bin/sh
# Makes the certificates beside it anew. Needed only if they are ever lost: all but the expired one hold for 100 years.
# The keys protect nothing: they are public, and used on loopback by the tests alone.
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
touch "$work/index"
cat >"$work/ca.cnf" <<CNF
[ca]
default_ca = test
[test]
database = $work/index
new_certs_dir = $work
rand_serial = yes
default_md = sha256
policy = any
unique_subject = no
copy_extensions = copy
[any]
commonName = supplied
CNF

always="20200101000000Z 21200101000000Z"
here="IP:127.0.0.1,DNS:localhost"

request() { # name, extension...
  name=$1
  shift
  for extension; do set -- "$@" -addext "$extension"; shift; done
  openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$work/$name.key.pem" -out "$work/$name.csr" \
    -subj "/CN=faults: $name" "$@"
}
sign() { # name, from, to, signer...
  name=$1 from=$2 to=$3
  shift 3
  openssl ca -batch -notext -config "$work/ca.cnf" "$@" -in "$work/$name.csr" -out "$name.pem" -startdate "$from" -enddate "$to"
}
server() { # name, subject alternative name, from, to
  request "$1" "subjectAltName=$2" "extendedKeyUsage=serverAuth"
  sign "$1" "$3" "$4" -cert ca.pem -keyfile "$work/ca.key.pem"
  mv "$work/$1.key.pem" .
}

request ca "basicConstraints=critical,CA:true" "keyUsage=critical,keyCertSign,cRLSign"
sign ca $always -selfsign -keyfile "$work/ca.key.pem"
server good "$here" $always
openssl pkcs12 -export -in good.pem -inkey good.key.pem -passout pass:faults -out good.p12
server expired "$here" 20000101000000Z 20010101000000Z
server wrong-name "DNS:other.example" $always
request self-signed "subjectAltName=$here"
sign self-signed $always -selfsign -keyfile "$work/self-signed.key.pem"
mv "$work/self-signed.key.pem" .
chmod 644 ./*.pem good.p12
