import { generateKeyPairSync, type KeyObject, sign } from "node:crypto"

/** A DER element (X.690): its tag, its length and its content. */
const der = (tag: number, ...content: ReadonlyArray<Uint8Array>): Buffer => {
  const body = Buffer.concat(content)
  const size = body.length
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255]
  return Buffer.concat([Uint8Array.of(tag, ...length), body])
}
const sequence = (...items: ReadonlyArray<Uint8Array>) => der(0x30, ...items)
const set = (...items: ReadonlyArray<Uint8Array>) => der(0x31, ...items)
const object = (hex: string) => der(0x06, Buffer.from(hex, "hex"))
const octets = (content: Uint8Array) => der(0x04, content)
const bits = (content: Uint8Array) => der(0x03, Uint8Array.of(0), content)
const time = (date: Date) => {
  const digits = date.toISOString().replace(/\D/g, "")
  return der(0x17, Buffer.from(`${digits.slice(2, 14)}Z`))
}

const commonName = object("550403")
const ecdsaWithSha256 = sequence(object("2a8648ce3d040302"))
const basicConstraints = object("551d13")
const subjectAltName = object("551d11")
const isTrue = der(0x01, Uint8Array.of(0xff))

const nameOf = (name: string) => sequence(set(sequence(commonName, der(0x0c, Buffer.from(name)))))
const pem = (certificate: Uint8Array) =>
  `-----BEGIN CERTIFICATE-----\n${certificate.toBase64()}\n-----END CERTIFICATE-----\n`

let serial = 0

/** Makes an X.509 certificate (RFC 5280) that is valid from yesterday to tomorrow. */
const certify = (
  subject: string,
  key: KeyObject,
  issuer: string,
  issuerKey: KeyObject,
  extension: Buffer
) => {
  const day = 86_400_000
  const signed = sequence(
    der(0xa0, der(0x02, Uint8Array.of(2))),
    der(0x02, Uint8Array.of(++serial)),
    ecdsaWithSha256,
    nameOf(issuer),
    sequence(time(new Date(Date.now() - day)), time(new Date(Date.now() + day))),
    nameOf(subject),
    key.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(extension))
  )
  return pem(sequence(signed, ecdsaWithSha256, bits(sign("sha256", signed, issuerKey))))
}

const keys = () => generateKeyPairSync("ec", { namedCurve: "P-256" })

/** Makes a certificate authority: its certificate and a function that issues certificates for host names, all as PEM. */
export const makeAuthority = () => {
  const name = "A test's authority"
  const { privateKey, publicKey } = keys()
  const isAuthority = sequence(basicConstraints, isTrue, octets(sequence(isTrue)))
  return {
    cert: certify(name, publicKey, name, privateKey, isAuthority),
    issue: (host: string) => {
      const own = keys()
      const names = sequence(subjectAltName, octets(sequence(der(0x82, Buffer.from(host)))))
      return {
        cert: certify(host, own.publicKey, name, privateKey, names),
        key: own.privateKey.export({ type: "pkcs8", format: "pem" }).toString()
      }
    }
  }
}
