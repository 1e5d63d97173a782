import { describe, expect } from "bun:test"
import { Duration, Effect, Either, Layer, Option } from "effect"
import { WaybackMachine } from "../../../src/enrich/archive/WaybackMachine.ts"
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
