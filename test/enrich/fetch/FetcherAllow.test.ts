import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import { Resolver } from "../../../src/enrich/fetch/Destination.ts"
import { make, type requestFrom } from "../../../src/enrich/fetch/Fetcher.ts"
import { makeImages } from "../../../src/enrich/page/Images.ts"
import { effectTest } from "../../support/effect.ts"
import { html, limits, text } from "../../support/fetching.ts"
import { withSettings } from "../../support/loopback.ts"
import { sandbox } from "../../support/sandbox.ts"

/** Two listed hosts and an unlisted one of the owner's network, and two public hosts. */
const names: Readonly<Record<string, string>> = {
  "nas.lan": "192.168.1.20",
  "wiki.lan": "192.168.1.21",
  "router.lan": "192.168.1.1",
  "stranger.test": "93.184.216.34",
  "other.test": "93.184.216.35"
}
const resolver = Layer.succeed(Resolver, {
  lookup: (name) => Effect.succeed([names[name] ?? []].flat())
})
const it = effectTest(Layer.merge(resolver, sandbox))
const ALLOW = "nas.lan,nas.lan:8080,wiki.lan"

/** A network in which `/to/A/to/B` at any host redirects to A, then to B; it records every connection. */
const network = () => {
  const connected: Array<string> = []
  const request: typeof requestFrom = (address, url) =>
    Effect.sync(() => {
      connected.push(`${url.host}@${address}`)
      const [, next, rest = ""] = /^\/to\/([^/]+)(.*)$/.exec(url.pathname) ?? []
      return next === undefined
        ? new Response(`page of ${url.host}`, { headers: { "content-type": "text/html" } })
        : new Response(null, { status: 302, headers: { location: `http://${next}${rest}` } })
    })
  return { connected, request }
}

describe("FETCH_ALLOW", () => {
  const cases: ReadonlyArray<readonly [what: string, address: string, ends: string]> = [
    ["an exempt address", "nas.lan", "page of nas.lan"],
    ["an exempt port", "nas.lan:8080", "page of nas.lan:8080"],
    ["a redirect within an exempt host", "nas.lan/to/nas.lan:8080", "page of nas.lan:8080"],
    ["a redirect from one exempt host to another", "nas.lan/to/wiki.lan", "page of wiki.lan"],
    ["a redirect from an exempt host to a public one", "nas.lan/to/stranger.test", "page of stranger.test"],
    ["a redirect from a public host to a public one", "stranger.test/to/other.test", "page of other.test"],
    ["a private address that is not listed", "router.lan", "refused-address"],
    ["a port that is not listed", "wiki.lan:8080", "refused-address"],
    ["a redirect from an exempt host to an unlisted one", "nas.lan/to/router.lan", "refused-address"],
    ["a redirect from a public host to an exempt one", "stranger.test/to/nas.lan", "refused-address"],
    ["the same with a port", "stranger.test/to/nas.lan:8080", "refused-address"],
    ["the same through another public host", "stranger.test/to/other.test/to/nas.lan", "refused-address"],
    ["the same through an exempt host", "nas.lan/to/stranger.test/to/nas.lan", "refused-address"],
    ["the same to another exempt host", "nas.lan/to/stranger.test/to/wiki.lan", "refused-address"]
  ]
  for (const [what, address, ends] of cases)
    it(`${ends === "refused-address" ? "rejects" : "follows"} ${what}`, function* () {
      const { connected, request } = network()
      const fetcher = yield* make(limits, request)
      const ended = yield* fetcher
        .fetch(new URL(`http://${address}`), html)
        .pipe(
          withSettings({ FETCH_ALLOW: ALLOW }),
          Effect.match({ onSuccess: ({ body }) => text(body), onFailure: ({ reason }) => reason })
        )
      expect(ended).toBe(ends)
      // A rejected address is never connected to.
      const last = address.split("/to/").at(-1) ?? ""
      expect(connected.at(-1)?.startsWith(`${last}@`) ?? false).toBe(ends !== "refused-address")
    })

  it("allows pictures on a listed host only to pages of a listed host", function* () {
    const { mayTake } = yield* makeImages(limits)
    const asked = (address: string, ...pages: ReadonlyArray<string>) =>
      withSettings({ FETCH_ALLOW: ALLOW })(mayTake(address, pages))
    const nas = "http://nas.lan:8080/cover.png"
    expect(yield* asked(nas, "http://nas.lan/album")).toBe(true)
    expect(yield* asked(nas, "http://wiki.lan/page")).toBe(true)
    expect(yield* asked(nas, "https://stranger.test/post")).toBe(false)
    expect(yield* asked(nas, "http://router.lan/")).toBe(false)
    expect(yield* asked(nas, "https://stranger.test/post", "http://nas.lan/album")).toBe(true)
    expect(yield* asked(nas)).toBe(false)
    expect(yield* asked(nas, "not an address")).toBe(false)
    expect(yield* asked("https://stranger.test/a.png", "https://other.test/")).toBe(true)
    // An unlisted host needs no exemption here: the fetcher rejects its address.
    expect(yield* asked("http://router.lan/a.png", "https://stranger.test/post")).toBe(true)
  })

  it("rejects a listed host as the target of a public picture's redirect", function* () {
    const { connected, request } = network()
    const fetcher = yield* make(limits, request)
    const error = yield* fetcher
      .fetch(new URL("http://stranger.test/to/nas.lan/icon.png"), { ...html, readable: () => true })
      .pipe(withSettings({ FETCH_ALLOW: ALLOW }), Effect.flip)
    expect([error.reason, connected]).toEqual(["refused-address", ["stranger.test@93.184.216.34"]])
  })
})
