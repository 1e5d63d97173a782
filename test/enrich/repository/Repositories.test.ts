import { describe, expect } from "bun:test"
import { FetchHttpClient } from "@effect/platform"
import { Duration, Effect, Fiber, Layer, Option, TestClock } from "effect"
import { FetchError, Fetcher, type FetchOptions } from "../../../src/enrich/fetch/Fetcher.ts"
import { make, Repositories } from "../../../src/enrich/repository/Repositories.ts"
import { describeData, json } from "../../support/data.ts"
import { clockTest, effectTest } from "../../support/effect.ts"
import { loopback, withSettings } from "../../support/loopback.ts"
import { countOf } from "../../support/metrics.ts"

const TOKEN = "ghp_secret_token"

type Fetch = Fetcher["Type"]["fetch"]

const noFetch: Fetch = () => Effect.dieMessage("GitHub is not asked through the Fetcher")

const asking = (fetch: Fetch, timeout: Duration.DurationInput = "10 seconds") =>
  Layer.effect(Repositories, make(timeout)).pipe(
    Layer.provide(Layer.succeed(Fetcher, { fetch })),
    Layer.provide(FetchHttpClient.layer)
  )

const it = effectTest(asking(noFetch))
const itOnTestClock = clockTest(asking(noFetch))

const find = (address: string) => Effect.flatMap(Repositories, (_) => _.find(new URL(address)))
const rocket = find("https://github.com/acme/rocket/tree/main")
const reason = Effect.match(rocket, { onSuccess: () => "ok", onFailure: (error) => error.reason })

const rocketJson = {
  full_name: "acme/rocket",
  description: "A rocket you can fork",
  language: "TypeScript",
  stargazers_count: 4321,
  topics: ["space", "effects"],
  license: { spdx_id: "MIT" },
  archived: false
}

/** A GitHub API that gives each of `answers` in turn and then repeats the last one. */
const gitHubApi = (...answers: ReadonlyArray<(request: Request) => Response | Promise<Response>>) => {
  const seen: Array<{ path: string; headers: Headers }> = []
  return loopback((request) => {
    seen.push({ path: new URL(request.url).pathname, headers: request.headers })
    return (answers[seen.length - 1] ?? answers.at(-1) ?? (() => new Response()))(request)
  }).pipe(Effect.map((url) => ({ url, seen, settings: { GITHUB_API_URL: url, GITHUB_TOKEN: TOKEN } })))
}
const ok = () => Response.json(rocketJson)
const refusing = (status: number, headers: Record<string, string> = {}, message = "no") =>
  Response.json({ message }, { status, headers })

const calls = (outcome: string) => countOf("linkbower_repository_calls_total", { kind: "github", outcome })

describe("Repositories on GitHub", () => {
  it("counts what it found, what there is not, and failures", function* () {
    const api = yield* gitHubApi(
      ok,
      ok,
      () => refusing(404),
      () => refusing(500)
    )
    const counts = () => ["ok", "none", "failed"].map(calls)
    const before = counts()
    for (let at = 0; at < 4; at++) yield* withSettings(api.settings)(reason)
    expect(counts().map((count, at) => count - (before[at] ?? 0))).toEqual([2, 1, 1])
  })

  it("sends one request by owner and name", function* () {
    const api = yield* gitHubApi(ok)
    expect(yield* withSettings(api.settings)(rocket)).toEqual(
      Option.some({
        host: "github.com",
        fullName: "acme/rocket",
        description: "A rocket you can fork",
        language: "TypeScript",
        stars: 4321,
        topics: ["space", "effects"],
        license: "MIT",
        archived: false
      })
    )
    expect(api.seen.map(({ path }) => path)).toEqual(["/repos/acme/rocket"])
  })

  it("sends the token, if any, and its user agent", function* () {
    const api = yield* gitHubApi(ok)
    yield* withSettings(api.settings)(rocket)
    yield* withSettings({ GITHUB_API_URL: `${api.url}/`, GITHUB_TOKEN: "" })(rocket)
    expect(api.seen.map(({ headers }) => headers.get("authorization"))).toEqual([`Bearer ${TOKEN}`, null])
    expect(api.seen.map(({ headers }) => headers.get("user-agent"))).toEqual(["linkbower", "linkbower"])
    expect(api.seen[0]?.headers.get("accept")).toBe("application/vnd.github+json")
    expect(api.seen[0]?.headers.has("traceparent")).toBe(false)
  })

  it("supports an Enterprise API below a path", function* () {
    const api = yield* gitHubApi(ok)
    const found = yield* withSettings({ GITHUB_API_URL: `${api.url}/api/v3` })(find(`${api.url}/acme/rocket`))
    expect(Option.getOrNull(found)?.host).toBe(new URL(api.url).host)
    expect(api.seen.map(({ path }) => path)).toEqual(["/api/v3/repos/acme/rocket"])
  })

  it("follows a redirect on the origin of the API", function* () {
    const api = yield* gitHubApi(
      () => new Response(null, { status: 301, headers: { location: "/repositories/1000" } }),
      ok
    )
    expect(Option.isSome(yield* withSettings(api.settings)(rocket))).toBe(true)
    expect(api.seen.map(({ path }) => path)).toEqual(["/repos/acme/rocket", "/repositories/1000"])
  })

  for (const status of [301, 302, 307, 308]) {
    it(`does not follow a redirect to another origin (${status})`, function* () {
      const elsewhere = yield* gitHubApi(ok)
      const api = yield* gitHubApi(() => Response.redirect(`${elsewhere.url}/repos/acme/rocket`, status))
      expect(yield* withSettings(api.settings)(reason)).toBe("GitHub redirects elsewhere")
      expect(elsewhere.seen).toHaveLength(0)
    })
  }

  it("stops in a redirect loop", function* () {
    const api = yield* gitHubApi(() => new Response(null, { status: 301, headers: { location: "/again" } }))
    expect(yield* withSettings(api.settings)(reason)).toBe("GitHub redirects elsewhere")
    expect(api.seen).toHaveLength(4)
  })

  for (const status of [404, 410]) {
    it(`returns none for ${status}`, function* () {
      const api = yield* gitHubApi(() => refusing(status))
      expect(yield* withSettings(api.settings)(rocket)).toEqual(Option.none())
    })
  }

  for (const [status, lasting] of [
    [401, true],
    [403, true],
    [422, true],
    [500, false],
    [502, false],
    [503, false]
  ] as const) {
    it(`fails ${lasting ? "permanently" : "temporarily"} for ${status} and sends the next request again`, function* () {
      const api = yield* gitHubApi(() => refusing(status), ok)
      const error = yield* Effect.flip(withSettings(api.settings)(rocket))
      expect([error.reason, error.lasting ?? false]).toEqual([`GitHub answered ${status}`, lasting])
      expect(yield* withSettings(api.settings)(reason)).toBe("ok")
    })
  }

  const invalid: Record<string, () => Response> = {
    HTML: () => new Response("<html>"),
    "an empty body": () => new Response(null),
    "JSON of another shape": () => Response.json([rocketJson]),
    "more than a megabyte": () => Response.json({ ...rocketJson, more: "x".repeat(2_000_000) }),
    "an endless body": () =>
      new Response(
        new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536).fill(32)) })
      )
  }
  for (const [name, answer] of Object.entries(invalid)) {
    it(`fails for ${name}`, function* () {
      const api = yield* gitHubApi(answer)
      expect(yield* withSettings(api.settings)(reason)).toBe("GitHub sent an unexpected response")
    })
  }

  const drip = () =>
    new Response(
      new ReadableStream({
        pull: async (controller) => {
          await Bun.sleep(20)
          controller.enqueue(new Uint8Array([32]))
        }
      })
    )
  const slow = { hangs: () => Bun.sleep(5000).then(ok), drips: drip }
  for (const [name, answer] of Object.entries(slow)) {
    effectTest(asking(noFetch, "250 millis"))(`times out on a server that ${name}`, function* () {
      const api = yield* gitHubApi(answer)
      expect(yield* withSettings(api.settings)(reason)).toBe("GitHub did not answer in time")
    })
  }

  it("fails if the API is unreachable or its URL is invalid", function* () {
    const gone = yield* Effect.scoped(loopback(ok))
    expect(yield* withSettings({ GITHUB_API_URL: gone })(reason)).toBe("GitHub cannot be reached")
    expect(yield* withSettings({ GITHUB_API_URL: "nonsense" })(reason)).toBe(
      "GitHub's settings cannot be read"
    )
  })

  it("keeps the token and the address out of an error", function* () {
    const gone = yield* Effect.scoped(loopback(ok))
    const error = yield* Effect.flip(withSettings({ GITHUB_API_URL: gone, GITHUB_TOKEN: TOKEN })(rocket))
    const shown = `${Bun.inspect(error)} ${JSON.stringify(error)} ${error}`
    for (const secret of [TOKEN, gone, "rocket"]) expect(shown).not.toContain(secret)
  })

  it("sends no request for an address outside a repository", function* () {
    const api = yield* gitHubApi(ok)
    const nowhere = ["https://github.com/features/actions", "https://example.org/acme/rocket"]
    for (const address of nowhere)
      expect(yield* withSettings(api.settings)(find(address))).toEqual(Option.none())
    expect(api.seen).toHaveLength(0)
  })
})

describe("Repositories under GitHub's rate limit", () => {
  const now = Date.parse("2026-11-20T12:00:00Z")
  const inSeconds = (seconds: number) => String(now / 1000 + seconds)
  const limits: ReadonlyArray<readonly [name: string, answer: () => Response, seconds: number]> = [
    ["Retry-After in seconds", () => refusing(429, { "retry-after": "30" }), 30],
    ["Retry-After as a date", () => refusing(429, { "retry-after": "Fri, 20 Nov 2026 12:00:08 GMT" }), 8],
    ["403 with Retry-After", () => refusing(403, { "retry-after": "3", "x-ratelimit-remaining": "4000" }), 3],
    [
      "an exhausted limit",
      () => refusing(403, { "x-ratelimit-remaining": "0", "x-ratelimit-reset": inSeconds(600) }),
      600
    ],
    [
      "a reset in the past",
      () => refusing(403, { "x-ratelimit-remaining": "0", "x-ratelimit-reset": inSeconds(-9) }),
      60
    ],
    ["a secondary limit", () => refusing(403, {}, "You have exceeded a secondary rate limit."), 60],
    ["429 alone", () => refusing(429), 60],
    [
      "a reset in a year",
      () => refusing(429, { "x-ratelimit-remaining": "0", "x-ratelimit-reset": inSeconds(3e7) }),
      3600
    ],
    ["Retry-After of a year", () => refusing(429, { "retry-after": "31536000" }), 3600]
  ]
  for (const [name, answer, seconds] of limits) {
    itOnTestClock(`sends no request for ${seconds} seconds after ${name}`, function* () {
      yield* TestClock.setTime(now)
      const api = yield* gitHubApi(answer, ok)
      const ask = withSettings(api.settings)(reason)
      // The second comes at the same moment.
      for (const _ of [1, 2]) expect(yield* ask).toBe("GitHub's rate limit is used up")
      yield* TestClock.adjust(Duration.seconds(seconds - 1))
      expect(new Set(yield* Effect.replicateEffect(ask, 20))).toEqual(
        new Set(["GitHub's rate limit is used up"])
      )
      expect(api.seen).toHaveLength(1)
      yield* TestClock.adjust("1 second")
      expect(yield* ask).toBe("ok")
    })
  }

  itOnTestClock("sends requests with another token", function* () {
    const api = yield* gitHubApi(({ headers }) =>
      headers.get("authorization") === "Bearer new" ? ok() : refusing(429)
    )
    const error = yield* Effect.flip(withSettings(api.settings)(rocket))
    expect([error.reason, error.lasting ?? false]).toEqual(["GitHub's rate limit is used up", false])
    expect(yield* withSettings({ ...api.settings, GITHUB_TOKEN: "new" })(reason)).toBe("ok")
  })

  itOnTestClock("sends requests if the clock is set back", function* () {
    yield* TestClock.setTime(now)
    const api = yield* gitHubApi(() => refusing(429), ok)
    expect(yield* withSettings(api.settings)(reason)).toBe("GitHub's rate limit is used up")
    yield* TestClock.setTime(now - 86_400_000)
    expect(yield* withSettings(api.settings)(reason)).toBe("ok")
  })
})

describe("Repositories on other hosts", () => {
  /** A fake Fetcher with these bodies by URL, and the requests it received. */
  const fakeFetcher = (bodies: Record<string, unknown>) => {
    const asked: Array<{ url: string; options: FetchOptions }> = []
    const fetch: Fetch = (url, options) => {
      asked.push({ url: url.href, options })
      const body = bodies[url.href]
      return body === undefined
        ? new FetchError({ reason: "status", status: 404 })
        : Effect.succeed({
            url,
            redirects: [],
            isPermanent: true,
            status: 200,
            headers: new Headers(),
            contentType: "application/json",
            body: new TextEncoder().encode(JSON.stringify(body)),
            cut: false,
            follow: () => Effect.die("nothing is followed")
          })
    }
    return { asked, layer: asking(fetch) }
  }
  const project = {
    path_with_namespace: "a/b/rocket",
    description: "",
    star_count: 7,
    topics: ["space"],
    license: { key: "mit" }
  }
  const api = "https://gitlab.com/api/v4/projects/a%2Fb%2Frocket"
  const address = "https://me:secret@gitlab.com/a/b/rocket/-/tree/main?x=1#y"
  const expected = {
    host: "gitlab.com",
    fullName: "a/b/rocket",
    description: null,
    language: "Rust",
    stars: 7,
    topics: ["space"],
    license: "MIT",
    archived: false
  }

  const gitLab = fakeFetcher({
    [`${api}?license=true`]: project,
    [`${api}/languages`]: { Rust: 90, Shell: 10 }
  })
  effectTest(gitLab.layer)("reads a GitLab project and its main language", function* () {
    expect(yield* find(address)).toEqual(Option.some(expected))
    expect(gitLab.asked.map(({ url }) => url).toSorted()).toEqual([`${api}/languages`, `${api}?license=true`])
    for (const { options } of gitLab.asked) {
      expect(options).toMatchObject({ accept: "application/json", maxBytes: 262_144 })
      expect(["application/json", "application/problem+json", "text/html", ""].map(options.readable)).toEqual(
        [true, true, false, false]
      )
    }
  })

  effectTest(fakeFetcher({ [`${api}?license=true`]: project }).layer)(
    "returns no language if GitLab has none",
    function* () {
      expect(yield* find(address)).toEqual(Option.some({ ...expected, language: null }))
    }
  )

  effectTest(fakeFetcher({}).layer)("returns none if the host has no such repository", function* () {
    expect(yield* find(address)).toEqual(Option.none())
    expect(yield* find("https://codeberg.org/a/b")).toEqual(Option.none())
  })

  effectTest(
    fakeFetcher({ "https://codeberg.org/api/v1/repos/a/b": { full_name: "a/b", stars_count: 3 } }).layer
  )("reads a Forgejo repository", function* () {
    expect(Option.getOrNull(yield* find("https://codeberg.org/a/b/src/branch/main"))).toMatchObject({
      host: "codeberg.org",
      fullName: "a/b",
      stars: 3
    })
  })

  effectTest(fakeFetcher({ "https://codeberg.org/api/v1/repos/a/b": { message: "no" } }).layer)(
    "fails if the response describes no repository",
    function* () {
      const error = yield* Effect.flip(find("https://codeberg.org/a/b"))
      expect(error.reason).toBe("The repository's host sent an unexpected response")
    }
  )

  const failures = [
    [new FetchError({ reason: "refused-address" }), true],
    [new FetchError({ reason: "timeout" }), false],
    [new FetchError({ reason: "unreachable" }), false],
    [new FetchError({ reason: "content-type" }), true],
    [new FetchError({ reason: "status", status: 403 }), true],
    [new FetchError({ reason: "status", status: 503 }), false]
  ] as const
  for (const [failure, lasting] of failures) {
    effectTest(asking(() => failure))(
      `fails if the fetch fails with ${failure.status ?? failure.reason}`,
      function* () {
        for (const host of ["gitlab.com", "codeberg.org"]) {
          const error = yield* Effect.flip(find(`https://${host}/a/b`))
          expect(error).toMatchObject({
            reason: `The repository's host gave no answer: ${failure.status ?? failure.reason}`,
            lasting
          })
        }
      }
    )
  }

  clockTest(asking(() => Effect.never, "5 seconds"))("times out after five seconds", function* () {
    const running = yield* Effect.fork(Effect.flip(find("https://gitlab.com/a/b")))
    yield* TestClock.adjust("5 seconds")
    expect((yield* Fiber.join(running)).reason).toBe("The repository's host did not answer in time")
  })
})

describeData("repo-api", "Repositories on recorded responses of GitHub", () => {
  const index = json<ReadonlyArray<{ file: string }>>("repo-api/index.json")
  interface Mapping {
    readonly response: {
      readonly status: number
      readonly body: string
      readonly headers: Record<string, string | string[]>
    }
  }
  for (const { file } of index.filter((_) => _.file.startsWith("github-http/limit-"))) {
    itOnTestClock(`stops sending requests after ${file}`, function* () {
      const { status, body, headers } = json<Mapping>(`repo-api/${file}`).response
      const plain = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)])
      const api = yield* gitHubApi(() => new Response(body, { status, headers: plain }))
      expect(yield* withSettings(api.settings)(reason)).toBe("GitHub's rate limit is used up")
      expect(yield* withSettings(api.settings)(reason)).toBe("GitHub's rate limit is used up")
      expect(api.seen).toHaveLength(1)
    })
  }

  interface Exchange {
    readonly status: number
    readonly path: string
    readonly response: unknown
  }
  it("fails for an error response, then reads a repository", function* () {
    const recorded = ["errors", "get-repository"].flatMap((name) =>
      json<ReadonlyArray<Exchange>>(`repo-api/github-http/${name}.json`)
    )
    const [refused, hello] = recorded
    const api = yield* gitHubApi(
      () => Response.json(refused?.response, { status: refused?.status ?? 0 }),
      () => Response.json(hello?.response, { status: hello?.status ?? 0 })
    )
    expect(yield* withSettings(api.settings)(reason)).toBe("GitHub answered 422")
    const found = yield* withSettings(api.settings)(
      find(`https://github.com/octokit-fixture-org/hello-world`)
    )
    expect(Option.getOrNull(found)).toMatchObject({
      fullName: "octokit-fixture-org/hello-world",
      stars: 42,
      topics: ["fixtures", "hello", "hello-world"]
    })
  })
})
