import { describe, expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { Either, Schema } from "effect"
import { isObject } from "../../../../src/domain/Json.ts"
import { SandboxReply } from "../../../../src/enrich/page/Sandbox.ts"
import type { SitePage } from "../../../../src/enrich/page/sites/SitePage.ts"
import { MAX_ANSWER, type SiteRule } from "../../../../src/enrich/page/sites/SiteRule.ts"
import { siteRuleFor, siteRuleNamed, sites } from "../../../../src/enrich/page/sites/Sites.ts"

/**
 * A recorded answer, in `fixtures/RULE.json` or `fixtures/RULE.KIND.json`: the saved address, the request, the answer
 * (JSON, or a text of another kind) and what it states.
 */
const Recorded = Schema.Struct({
  url: Schema.String,
  asked: Schema.String,
  answer: Schema.Unknown,
  page: Schema.Unknown
})
const folder = new URL("fixtures/", import.meta.url).pathname
const recorded = readdirSync(folder).map((file) => ({
  name: file.slice(0, file.indexOf(".")),
  kind: file.replace(/\.json$/, ""),
  ...Schema.decodeUnknownSync(Schema.parseJson(Recorded))(readFileSync(folder + file, "utf8"))
}))

const ruleNamed = (name: string): SiteRule => {
  const rule = siteRuleNamed(name)
  if (rule === undefined) throw new Error(`There is no rule ${name}`)
  return rule
}

/** Rules whose answer is a file as it is, so that any text is one. */
const anyText: ReadonlySet<string> = new Set(["github-file"])

const textOf = (answer: unknown) => (typeof answer === "string" ? answer : JSON.stringify(answer))

const decode = Schema.decodeUnknownEither(SandboxReply, { onExcessProperty: "error" })
/** Whether the service accepts what the sandbox child would reply. */
const isAccepted = (site: SitePage) =>
  Either.isRight(decode(JSON.parse(JSON.stringify({ said: "site", site }))))

describe("sites with rules of their own", () => {
  test("have a recorded answer each", () => {
    const names = recorded.map(({ name }) => name)
    expect(sites.map(({ name }) => name).filter((name) => !names.includes(name))).toEqual([])
    expect(new Set(sites.map(({ name }) => name)).size).toBe(sites.length)
  })

  for (const { answer, asked, kind, name, page, url } of recorded) {
    const rule = ruleNamed(name)
    test(`${kind}: asks for and reads the recorded answer`, () => {
      expect(rule.request(new URL(url))?.address.href).toBe(asked)
      const stated = rule.read(textOf(answer), new URL(url)) ?? {}
      expect(JSON.parse(JSON.stringify(stated))).toEqual(page)
      expect(isAccepted(stated)).toBe(true)
    })

    if (!anyText.has(name))
      test(`${kind}: reads no answer about other things`, () => {
        for (const broken of [
          "",
          " ",
          "null",
          "7",
          '"text"',
          "[]",
          "{}",
          "[[]]",
          '{"error":"not found"}',
          '{"items":[],"results":[],"thread":null}',
          "<!doctype html><html><head><title>Too many requests</title></head><body><p>Wait</p></body></html>",
          "\0\ufffd",
          textOf(answer).slice(0, textOf(answer).length / 2)
        ])
          expect(rule.read(broken, new URL(url))).toBeUndefined()
      })

    test(`${kind}: states only what the service accepts, whatever the answer has in a place`, () => {
      const others: ReadonlyArray<unknown> = [
        null,
        7,
        -1.5,
        1e300,
        true,
        "",
        "javascript:alert(1)",
        "\u202e\0\ud800 <b>x</b>",
        "x".repeat(300_000),
        `<p>${"&amp;".repeat(60_000)}`,
        [],
        {},
        [{}],
        { toString: 1 },
        "2020-13-45T99:99:99Z"
      ]
      let reads = 0
      /** Reads the answer with each value in it replaced by each of the others. */
      const replace = (value: unknown, rebuild: (other: unknown) => unknown) => {
        for (const other of others) {
          const read = rule.read(textOf(rebuild(other)), new URL(url))
          reads++
          if (read !== undefined && !isAccepted(read)) expect([other, read]).toEqual(["accepted", {}])
        }
        if (Array.isArray(value))
          value.forEach((one, at) => {
            replace(one, (other) => rebuild(value.with(at, other)))
          })
        else if (isObject(value))
          for (const key of Object.keys(value))
            replace(value[key], (other) => rebuild({ ...value, [key]: other }))
      }
      replace(answer, (other) => other)
      expect(reads).toBeGreaterThanOrEqual(others.length)
    }, 30_000)

    test(`${kind}: takes linear time over a hostile answer`, () => {
      const fill = (piece: string) => piece.repeat(Math.ceil(MAX_ANSWER / piece.length))
      /** The answer with every text in it replaced, cut to the length of an answer. */
      const withTexts = (text: string, value: unknown = answer): unknown => {
        if (typeof value === "string") return text
        if (Array.isArray(value)) return value.map((one) => withTexts(text, one))
        if (!isObject(value)) return value
        return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withTexts(text, one)]))
      }
      const start = performance.now()
      for (const piece of [
        "<",
        "&",
        "<p>",
        " ",
        "a ",
        "<a href=x>",
        "&#",
        "pic.x.com/",
        ":a",
        "\n",
        "https://"
      ])
        rule.read(textOf(withTexts(fill(piece).slice(0, 100_000))), new URL(url))
      for (const flood of [fill("["), fill('{"a":'), fill('"'), fill("<p>"), `[${fill("{},")}{}]`])
        rule.read(flood, new URL(url))
      expect(performance.now() - start).toBeLessThan(8_000)
    }, 20_000)
  }
})

describe("the address of a page", () => {
  const cases: ReadonlyArray<readonly [site: string, address: string]> = [
    ["youtube", "https://www.youtube.com/watch?v=dQw4w9WgXcQ&list=PL1&index=2"],
    ["youtube", "https://m.youtube.com/watch?app=desktop&v=dQw4w9WgXcQ"],
    ["youtube", "https://youtube.com/shorts/dQw4w9WgXcQ?feature=share"],
    ["youtube", "https://www.youtube.com/live/dQw4w9WgXcQ"],
    ["youtube", "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ"],
    ["youtube", "https://www.youtube.com/playlist?list=PLrAXtmErZgOeiKm4sgNOknGvNjby9efdf"],
    ["", "https://www.youtube.com/@channel"],
    ["", "https://www.youtube.com/watch?v=short"],
    ["", "https://www.youtube.com/"],
    ["", "https://youtube.com.evil.example/watch?v=dQw4w9WgXcQ"],
    ["", "https://notyoutube.com/watch?v=dQw4w9WgXcQ"],
    ["", "https://example.org/?u=https://youtu.be/dQw4w9WgXcQ"],
    ["x", "https://twitter.com/jack/status/20"],
    ["x", "https://mobile.twitter.com/jack/statuses/20/photo/1"],
    ["x", "https://x.com/i/web/status/20"],
    ["", "https://x.com/jack"],
    ["", "https://x.com/jack/status/not-a-number"],
    ["", "https://example.x.com.evil.example/jack/status/20"],
    ["mastodon", "https://mastodon.social/@Gargron/1"],
    ["mastodon", "https://fosstodon.org/@ann@mastodon.social/112233445566778899"],
    ["mastodon", "https://hachyderm.io/users/ann/statuses/112233445566778899"],
    ["", "https://mastodon.social/@Gargron"],
    ["", "https://medium.com/@ann/a-story-1a2b3c4d5e6f"],
    ["", "https://www.threads.net/@ann/post/CuXFPIeLLod"],
    ["", "https://www.tiktok.com/@ann/video/7106594312292453675"],
    ["bluesky", "https://bsky.app/profile/did:plc:z72i7hdynmk6r22z27h6tvur/post/3l6oveex3ii2l"],
    ["", "https://bsky.app/profile/bsky.app"],
    ["", "https://bsky.app/profile/bsky.app/feed/whats-hot"],
    ["reddit", "https://www.reddit.com/r/AskReddit/comments/1abc2de/"],
    ["reddit", "https://reddit.com/comments/1abc2de"],
    ["reddit", "https://www.reddit.com/user/ann/comments/1abc2de/a_post/"],
    ["reddit", "https://redd.it/1abc2de"],
    ["", "https://www.reddit.com/r/AskReddit/"],
    ["", "https://i.redd.it/1abc2de.png"],
    ["", "https://www.reddit.com/r/AskReddit/s/AbCdEf"],
    ["hacker-news", "https://news.ycombinator.com/item?id=8863&p=2"],
    ["", "https://news.ycombinator.com/user?id=8863"],
    ["", "https://news.ycombinator.com/item?id=x"],
    ["", "https://news.ycombinator.com/newest"],
    ["stack-exchange", "https://stackoverflow.com/questions/11227809/why-is-it-faster/11227902#11227902"],
    ["stack-exchange", "https://stackoverflow.com/q/11227809/1"],
    ["stack-exchange", "https://pt.stackoverflow.com/questions/1/uma"],
    ["stack-exchange", "https://meta.mathoverflow.net/questions/1/one"],
    ["", "https://stackoverflow.com/questions/tagged/typescript"],
    ["", "https://stackoverflow.com/a/11227902"],
    ["", "https://stackexchange.com/questions/1"],
    ["", "https://stackoverflow.com.evil.example/questions/1/x"],
    ["apple-podcasts", "https://podcasts.apple.com/podcast/id1200361736"],
    ["apple-podcasts", "https://podcasts.apple.com/us/podcast/the-daily/id1200361736"],
    ["", "https://podcasts.apple.com/us/genre/podcasts/id26"],
    ["", "https://music.apple.com/us/album/x/id1200361736"]
  ]
  for (const [site, address] of cases)
    test(`${address} is ${site === "" ? "of no site" : `of ${site}`}`, () => {
      expect(siteRuleFor(new URL(address))?.rule.name ?? "").toBe(site)
    })

  test("goes to the site itself and takes nothing else of the address along", () => {
    for (const [, address] of cases) {
      const url = new URL(address)
      url.searchParams.append("token", "secret")
      const request = siteRuleFor(new URL(url.href.replace("https://", "https://ann:secret@")))?.request
      expect(request?.address.href ?? "").not.toContain("secret")
      expect(request?.address.username ?? "").toBe("")
    }
  })

  test("may be of any scheme, host or port", () => {
    for (const address of [
      "about:blank",
      "mailto:ann@example.org",
      "data:text/html,x",
      "ftp://x.com/a/status/1"
    ])
      expect(siteRuleFor(new URL(address))).toBeUndefined()
    for (const host of ["[::1]:8443", "127.0.0.1", "xn--bcher-kva.example", "a.b:1"])
      expect(siteRuleFor(new URL(`https://${host}/@ann/1`))?.request.address.href).toBe(
        `https://${host}/api/v1/statuses/1`
      )
  })

  test("of any length is matched at once", () => {
    const start = performance.now()
    for (const piece of ["/a", "@", "/@a", "1", "/r/", ".", "%20", "/podcast", "/id1", "-"])
      for (const host of ["example.org", "www.reddit.com", "x.com", "vimeo.com", "podcasts.apple.com"]) {
        const url = new URL(`https://${host}/@${piece.repeat(20_000)}`)
        siteRuleFor(url)
        ruleNamed("oembed").request(url)
      }
    expect(performance.now() - start).toBeLessThan(2_000)
  })
})
