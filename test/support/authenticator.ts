import { createHash, randomBytes } from "node:crypto"

/** A CBOR item (RFC 8949) of the few kinds that an authenticator writes. */
type Item = number | string | Uint8Array | ReadonlyMap<number | string, Item>

const cbor = (item: Item): Buffer => {
  const head = (major: number, length: number) => {
    if (length < 24) return Buffer.from([(major << 5) | length])
    if (length < 256) return Buffer.from([(major << 5) | 24, length])
    return Buffer.from([(major << 5) | 25, length >> 8, length & 255])
  }
  if (typeof item === "number") return item >= 0 ? head(0, item) : head(1, -1 - item)
  if (typeof item === "string") return Buffer.concat([head(3, Buffer.byteLength(item)), Buffer.from(item)])
  if (item instanceof Uint8Array) return Buffer.concat([head(2, item.length), item])
  return Buffer.concat([head(5, item.size), ...[...item].flatMap(([key, value]) => [cbor(key), cbor(value)])])
}

const sha256 = (data: string | Uint8Array) => createHash("sha256").update(data).digest()

/** Converts a signature of Web Crypto (r and s) to the ASN.1 form of an authenticator. */
const asn1 = (signature: Uint8Array) => {
  const integer = (bytes: Uint8Array) => {
    let start = 0
    while (start < bytes.length - 1 && bytes[start] === 0) start++
    const short = bytes.slice(start)
    const padded = (short[0] ?? 0) > 127 ? Buffer.concat([Buffer.from([0]), short]) : Buffer.from(short)
    return Buffer.concat([Buffer.from([2, padded.length]), padded])
  }
  const body = Buffer.concat([integer(signature.slice(0, 32)), integer(signature.slice(32))])
  return Buffer.concat([Buffer.from([0x30, body.length]), body])
}

const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url")

/** User present, user verified, and attested data included (Web Authentication, 6.1). */
const [PRESENT, VERIFIED, ATTESTED] = [1, 4, 64]

/** What an attack changes about a ceremony. */
interface Twist {
  readonly origin?: string
  readonly rpId?: string
  readonly challenge?: string
  readonly counter?: number
  readonly type?: string
  readonly crossOrigin?: boolean
  readonly flags?: number
}

/** A passkey in software: one ES256 credential (Web Authentication, level 3). */
export const makeAuthenticator = async (origin: string) => {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(
    { name: "ECDSA", namedCurve: "P-256" },
    true,
    ["sign", "verify"]
  )
  const { x = "", y = "" } = await crypto.subtle.exportKey("jwk", publicKey)
  const id = randomBytes(16)
  let counter = 0

  const clientData = (type: string, challenge: string, twist: Twist) =>
    Buffer.from(
      JSON.stringify({
        type: twist.type ?? type,
        challenge: twist.challenge ?? challenge,
        origin: twist.origin ?? origin,
        crossOrigin: twist.crossOrigin ?? false
      })
    )
  const authenticatorData = (flags: number, twist: Twist, more: Uint8Array = new Uint8Array()) => {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(twist.counter ?? ++counter)
    return Buffer.concat([
      sha256(twist.rpId ?? new URL(origin).hostname),
      Buffer.from([twist.flags ?? flags]),
      count,
      more
    ])
  }

  return {
    id: base64url(id),
    /** Makes the credential for the options' challenge. */
    create: ({ challenge }: { readonly challenge: string }, twist: Twist = {}) => {
      const key = cbor(
        new Map<number, Item>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, Buffer.from(x, "base64url")],
          [-3, Buffer.from(y, "base64url")]
        ])
      )
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key])
      const attestationObject = cbor(
        new Map<string, Item>([
          ["fmt", "none"],
          ["attStmt", new Map()],
          ["authData", authenticatorData(PRESENT | VERIFIED | ATTESTED, twist, attested)]
        ])
      )
      return {
        id: base64url(id),
        response: {
          clientDataJSON: base64url(clientData("webauthn.create", challenge, twist)),
          attestationObject: base64url(attestationObject),
          transports: ["internal"]
        }
      }
    },
    /** Signs the options' challenge. */
    sign: async ({ challenge }: { readonly challenge: string }, twist: Twist = {}) => {
      const client = clientData("webauthn.get", challenge, twist)
      const data = authenticatorData(PRESENT | VERIFIED, twist)
      const signature = await crypto.subtle.sign(
        { name: "ECDSA", hash: "SHA-256" },
        privateKey,
        Buffer.concat([data, sha256(client)])
      )
      return {
        id: base64url(id),
        response: {
          clientDataJSON: base64url(client),
          authenticatorData: base64url(data),
          signature: base64url(asn1(new Uint8Array(signature)))
        }
      }
    }
  }
}
