import { describe, expect, test } from "bun:test"
import { Duration, Effect, Either, Layer, Option } from "effect"
import { isArchivable, WaybackMachine, withoutFragment } from "../../../src/enrich/archive/WaybackMachine.ts"
import { Fetcher, make } from "../../../src/enrich/fetch/Fetcher.ts"
import { MAX_ADDRESS } from "../../../src/shared/Limits.ts"
import { effectTest } from "../../support/effect.ts"
import { limits, pages, resolver } from "../../support/fetching.ts"
import { withSettings } from "../../support/loopback.ts"

const it = effectTest(
  Layer.provide(WaybackMachine.layer, Layer.provide(Layer.effect(Fetcher, make(limits)), resolver))
)

/** Asks an archive that answers in this way; also returns the addresses that it was asked. */
const asking = <A, E>(
  answer: (request: Request) => Response,
  use: (archive: WaybackMachine["Type"]) => Effect.Effect<A, E>
) =>
  Effect.gen(function* () {
    const asked: Array<string> = []
    const server = yield* pages((request) => {
      asked.push(request.url)
      return answer(request)
    })
    const base = `http://127.0.0.2:${server.port}`
    const result = yield* Effect.either(
      Effect.flatMap(WaybackMachine, use).pipe(
        withSettings({
          FETCH_ALLOW: `127.0.0.2:${server.port},intranet.example.org`,
          ARCHIVE_URL: base,
          ARCHIVE_SAVE_URL: `${base}/save/`
        })
      )
    )
    return { asked: asked.map((url) => url.slice(base.length)), result }
  })

const closest =
  (url: string, timestamp = "20200102030405") =>
  () =>
    Response.json({ archived_snapshots: { closest: { available: true, status: "200", url, timestamp } } })

const page = new URL("https://example.org/a?b=c d#e")
const nearest = (answer: (request: Request) => Response) =>
  asking(answer, (archive) => archive.nearest(page, "2020-01-01T00:00:00.000Z"))

describe("WaybackMachine", () => {
  it("asks for the copy that is nearest to a time, and takes it by https", function* () {
    const { asked, result } = yield* nearest(
      closest("http://web.archive.org/web/20200102030405/https://example.org/a")
    )
    expect(asked).toEqual([
      "/wayback/available?url=https%3A%2F%2Fexample.org%2Fa%3Fb%3Dc%2520d&timestamp=20200101000000"
    ])
    expect(result).toMatchObject({
      right: Option.some({
        url: "https://web.archive.org/web/20200102030405/https://example.org/a",
        at: "2020-01-02T03:04:05.000Z"
      })
    })
  })

  it("takes the copy of an address of any length that a link can have", function* () {
    const start = "https://web.archive.org/web/1/"
    const longest = start.padEnd(2 * MAX_ADDRESS, "a")
    expect((yield* nearest(closest(longest))).result).toMatchObject({ right: Option.some({ url: longest }) })
    expect((yield* nearest(closest(`${longest}a`))).result).toEqual(Either.right(Option.none()))
  })

  it("takes no other address for a copy", function* () {
    for (const url of [
      "javascript:alert(1)",
      "https://evil.example/web/20200102030405/https://example.org/",
      "https://web.archive.org.evil.example/web/1/",
      "https://user@web.archive.org/web/1/",
      "https://web.archive.org:444/web/1/",
      "https://web.archive.org/save/https://example.org/",
      "/web/1/"
    ])
      expect((yield* nearest(closest(url))).result).toEqual(Either.right(Option.none()))
    for (const stamp of ["", "2020", "99999999999999"])
      expect((yield* nearest(closest("https://web.archive.org/web/1/", stamp))).result).toEqual(
        Either.right(Option.none())
      )
  })

  it("knows when there is no copy, and when there is no answer", function* () {
    const none = yield* nearest(() => Response.json({ archived_snapshots: {} }))
    expect(none.result).toEqual(Either.right(Option.none()))
    for (const answer of [() => new Response("<p>busy"), () => new Response("", { status: 503 })])
      expect((yield* nearest(answer)).result._tag).toBe("Left")
  })

  it("submits a page without its fragment, and says how long to wait", function* () {
    const submit = (archive: WaybackMachine["Type"]) => archive.submit(page)
    const { asked, result } = yield* asking(() => new Response("ok"), submit)
    expect(result._tag).toBe("Right")
    expect(asked).toEqual(["/save/https://example.org/a?b=c%20d"])
    const busy = yield* asking(
      () => new Response("", { status: 429, headers: { "retry-after": "60" } }),
      submit
    )
    expect(busy.result).toMatchObject({ left: { status: 429, pause: Duration.seconds(60) } })
  })

  it("is not told addresses that the owner allows, or that are private", function* () {
    const { result } = yield* asking(
      () => new Response(),
      (archive) =>
        Effect.forEach(["https://intranet.example.org/", "http://10.0.0.1/", "https://example.org/"], (url) =>
          archive.mayKnow(new URL(url))
        )
    )
    expect(result).toMatchObject({ right: [false, false, true] })
  })
})

describe("an address may be told to an archive", () => {
  test.each([
    "https://example.org/",
    "https://example.org/2026/03/how-to-bake-a-loaf-of-rye-bread.html?page=2&lang=de",
    "https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=42",
    "https://news.ycombinator.com/item?id=41234567",
    "https://93.184.216.34/a",
    "https://de.wikipedia.org/wiki/Donaudampfschifffahrtsgesellschaft"
  ])("%s", (url) => expect(isArchivable(new URL(url))).toBe(true))
})

describe("an address is told to nobody", () => {
  test.each([
    "http://localhost/",
    "http://nas/photos",
    "http://printer.local/",
    "https://wiki.corp/",
    "http://10.0.0.1/",
    "http://127.0.0.1/",
    "http://[::1]/",
    "http://169.254.169.254/latest/meta-data",
    "https://user:password@example.org/",
    "https://user@example.org/",
    "https://example.org:8443/",
    "ftp://example.org/",
    "https://example.org/reset?token=abc",
    "https://example.org/a?access_token=1",
    "https://example.org/a?X-Amz-Signature=00ff",
    "https://example.org/a?sig=1&se=2",
    "https://example.org/a?api_key=1",
    "https://example.org/callback?code=4%2F0A",
    "https://example.org/a?PHPSESSID=1",
    "https://example.org/invite/5f0c2a3e-8a3b-4c1d-9e2f-0a1b2c3d4e5f",
    "https://docs.google.com/document/d/1A2b3C4d5E6f7G8h9I0jKlMnOpQrStUvWxYz012345/edit",
    "https://example.org/s/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln",
    "https://example.org/u?h=d41d8cd98f00b204e9800998ecf8427e"
  ])("%s", (url) => expect(isArchivable(new URL(url))).toBe(false))
})

test("a fragment is never sent", () =>
  expect(withoutFragment(new URL("https://example.org/a?b=c#access_token=d"))).toBe(
    "https://example.org/a?b=c"
  ))
