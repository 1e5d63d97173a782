import { describe, expect } from "bun:test"
import { Duration, FastCheck as fc, Option } from "effect"
import { isAllowed, isFetchable, isPublic, literalOf, portOf } from "../../../src/enrich/fetch/Destination.ts"
import { retryAfter } from "../../../src/enrich/fetch/DirectFetch.ts"
import { isDecodable, readLimited } from "../../../src/enrich/fetch/Fetcher.ts"
import { repositoryOf } from "../../../src/enrich/repository/RepositoryAddress.ts"
import { mainLanguage, repositoryIn } from "../../../src/enrich/repository/RepositoryJson.ts"
import { always, alwaysAsync, isClean, strangeJson, strangeText } from "../../support/strange.ts"

describe("a random answer of a repository host", () => {
  const names =
    `full_name path_with_namespace description language stargazers_count stars_count star_count topics tag_list license
    licenses spdx_id key archived`.split(/\s+/)
  const json = fc.oneof(
    strangeText(20),
    strangeJson(names).map((value) => JSON.stringify(value)),
    fc.tuple(strangeText(60), strangeJson(names)).map(([name, rest]) =>
      JSON.stringify({
        ...(typeof rest === "object" ? rest : {}),
        full_name: name,
        path_with_namespace: name,
        topics: Array.from({ length: 60 }, () => name)
      })
    )
  )

  always("is decoded to clean and bounded fields or rejected", json, (text) => {
    for (const kind of ["github", "gitlab", "forgejo"] as const) {
      const read = repositoryIn({ kind, host: "host.example" }, text)
      if (read !== undefined) {
        const { description, fullName, language, license, stars, topics } = read
        const labels = [language, license].map((label) => label ?? "")
        expect([fullName, description ?? "", ...topics, ...labels].every(isClean)).toBe(true)
        expect(fullName.length).toBeLessThanOrEqual(255)
        expect(description?.length ?? 0).toBeLessThanOrEqual(1_000)
        expect([...topics, ...labels].every(({ length }) => length <= 50)).toBe(true)
        expect(topics.length).toBeLessThanOrEqual(20)
        expect(Number.isSafeInteger(stars) && stars >= 0).toBe(true)
      }
    }
    expect(isClean(mainLanguage(text) ?? "")).toBe(true)
  })
})

describe("a random repository address", () => {
  const host = fc.constantFrom(
    "github.com",
    "www.github.com",
    "gitlab.com",
    "codeberg.org",
    "gitea.a.example",
    "x.y"
  )
  const path = fc.array(
    fc.oneof(strangeText(2), fc.constantFrom("owner", "name.git", "..", "-", "tree", "%2e%2e"))
  )
  always(
    "yields a path of plain names",
    fc.tuple(host, path),
    ([name, segments]) => {
      const url = URL.parse(`https://${name}/${segments.join("/")}`)
      if (url === null) return
      for (const { origin, path: found } of Option.toArray(repositoryOf(url))) {
        expect(found).toMatch(/^[\w.-]+(?:\/[\w.-]+)+$/)
        expect(found.split("/").some((segment) => /^\.+$/.test(segment))).toBe(false)
        expect(URL.canParse(origin) && new URL(origin).origin === origin).toBe(true)
      }
    },
    1_000
  )
})

describe("a random Retry-After", () => {
  const header = fc.oneof(
    strangeText(3),
    fc.integer().map(String),
    fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
    fc.constantFrom(null, undefined, "1e9", "-1", "0x10", "99999999999999999999", "Infinity")
  )
  always("yields a finite non-negative wait or none", fc.tuple(header, fc.nat()), ([text, now]) => {
    for (const wait of Option.toArray(retryAfter(text, now))) {
      expect(Duration.toMillis(wait)).toBeGreaterThanOrEqual(0)
      expect(Number.isFinite(Duration.toMillis(wait))).toBe(true)
    }
  })
})

describe("a random destination", () => {
  const isInside = (address: string) =>
    /^(?:0|10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])|22[4-9]|2[345]\d)\./.test(
      address
    )
  always(
    "is not public if it is private or embeds an IPv4 address",
    fc.oneof(fc.ipV4(), fc.constantFrom("127.0.0.1", "10.9.8.7")),
    (address) => {
      if (isInside(address)) expect([address, isPublic(address)]).toEqual([address, false])
      // IPv4-mapped, IPv4-compatible, NAT64 and translated forms of the address.
      for (const start of ["::ffff:", "::", "64:ff9b::", "::ffff:0:"])
        expect(isPublic(`${start}${address}`)).toBe(false)
    },
    2_000
  )

  always(
    "is not public if it is no IPv4 address",
    fc.oneof(
      strangeText(3),
      fc.ipV6().map((ip) => `${ip}%eth0`)
    ),
    (text) => expect(isPublic(text)).toBe(/^\d+\.\d+\.\d+\.\d+$/.test(text) && isPublic(text))
  )

  always(
    "is allowed only by an entry with its host",
    fc.tuple(
      fc.oneof(
        fc.webUrl(),
        fc.ipV4().map((ip) => `http://${ip}:81/`)
      ),
      strangeText(6)
    ),
    ([address, allow]) => {
      const url = new URL(address)
      if (!allow.toLowerCase().includes(url.hostname)) expect(isAllowed(url, allow)).toBe(false)
      const port = portOf(url)
      expect(isAllowed(url, `x.example, ${url.hostname}:${port} ,`)).toBe(true)
      expect(isFetchable(url, false)).toBe(port === "80" || port === "443")
      expect(literalOf(url) === undefined || !url.host.includes("[") || literalOf(url)?.includes(":")).toBe(
        true
      )
    }
  )
})

describe("a random compressed body", () => {
  const plain = fc.uint8Array({ maxLength: 2_000 }).map((content) => Buffer.from(content))
  const packed = fc
    .tuple(
      plain,
      fc.uint8Array({ maxLength: 40 }),
      fc.constantFrom("gzip", "x-gzip", "deflate", "none"),
      fc.nat(3)
    )
    .map(([content, more, encoding, way]) => {
      const whole =
        encoding === "none"
          ? content
          : encoding === "deflate"
            ? Bun.deflateSync(content, { level: 6 })
            : Bun.gzipSync(content)
      const body =
        [Buffer.concat([whole, more]), whole.subarray(0, whole.length >> 1), more, whole][way] ?? whole
      return {
        body: new Uint8Array(body),
        encoding: encoding === "none" ? null : encoding,
        content,
        sound: way === 3
      }
    })

  /** Chunks of no more than seven bytes. */
  async function* pieces(body: Uint8Array<ArrayBuffer>) {
    for (let at = 0; at < body.length; at += 7) yield body.subarray(at, at + 7)
  }

  alwaysAsync(
    "is read up to its limit or rejected",
    fc.tuple(packed, fc.integer({ min: 1, max: 1_000 })),
    async ([{ body, content, encoding, sound }, limit]) => {
      expect(isDecodable(encoding)).toBe(true)
      const read = await readLimited(pieces(body), encoding, limit).catch(() => undefined)
      if (read === undefined) return
      expect(read.bytes.length).toBeLessThanOrEqual(limit)
      if (sound && encoding !== "deflate") {
        expect(Buffer.from(read.bytes).equals(content.subarray(0, limit))).toBe(true)
        expect(read.cut).toBe(content.length > limit)
      }
    },
    200
  )
})
