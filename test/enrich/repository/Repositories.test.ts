import { describe, expect } from "bun:test"
import { FetchHttpClient } from "@effect/platform"
import { Duration, Effect, Fiber, Layer, Option, TestClock } from "effect"
import { FetchError, Fetcher, type FetchOptions } from "../../../src/enrich/fetch/Fetcher.ts"
import { make, Repositories } from "../../../src/enrich/repository/Repositories.ts"
import { bytes, describeData, json } from "../../support/data.ts"
import { clockTest, effectTest } from "../../support/effect.ts"
import { loopback, withSettings } from "../../support/loopback.ts"

const TOKEN = "ghp_secret_token"

type Fetch = Fetcher["Type"]["fetch"]

const noFetch: Fetch = () => Effect.dieMessage("GitHub is not asked through the Fetcher")

const asking = (fetch: Fetch, timeout: Duration.DurationInput = "250 millis") =>
  Layer.effect(Repositories, make(timeout)).pipe(
    Layer.provide(Layer.succeed(Fetcher, { fetch })),
    Layer.provide(FetchHttpClient.layer)
  )

const it = effectTest(asking(noFetch))
const itOnTestClock = clockTest(asking(noFetch))

const find = (address: string) => Effect.flatMap(Repositories, (_) => _.find(new URL(address)))
const rocket = find("https://github.com/acme/rocket/tree/main")
const reason = Effect.match(rocket, { onSuccess: () => "ok", onFailure: (error) => error.reason })
const lasts = Effect.map(Effect.flip(rocket), (error) => error.lasting ?? false)

const rocketJson = {
  full_name: "acme/rocket",
  description: "A rocket you can fork",
  language: "TypeScript",
  stargazers_count: 4321,
  topics: ["space", "effects"],
  license: { spdx_id: "MIT" },
  archived: false
}

/** GitHub's API: answers with each of `answers` in turn, and with the last one from then on. */
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

describe("a repository on GitHub", () => {
  it(
    "is asked for by owner and name, once",
    Effect.gen(function* () {
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
  )

  it(
    "is asked for with the token, when there is one, and with an honest user agent",
    Effect.gen(function* () {
      const api = yield* gitHubApi(ok)
      yield* withSettings(api.settings)(rocket)
      yield* withSettings({ GITHUB_API_URL: `${api.url}/`, GITHUB_TOKEN: "" })(rocket)
      expect(api.seen.map(({ headers }) => headers.get("authorization"))).toEqual([`Bearer ${TOKEN}`, null])
      expect(api.seen.map(({ headers }) => headers.get("user-agent"))).toEqual(["linkbower", "linkbower"])
      expect(api.seen[0]?.headers.get("accept")).toBe("application/vnd.github+json")
      expect(api.seen[0]?.headers.has("traceparent")).toBe(false)
    })
  )

  it(
    "is found under an Enterprise API below a path, whose own host counts as GitHub",
    Effect.gen(function* () {
      const api = yield* gitHubApi(ok)
      const found = yield* withSettings({ GITHUB_API_URL: `${api.url}/api/v3` })(
        find(`${api.url}/acme/rocket`)
      )
      expect(Option.getOrNull(found)?.host).toBe(new URL(api.url).host)
      expect(api.seen.map(({ path }) => path)).toEqual(["/api/v3/repos/acme/rocket"])
    })
  )

  it(
    "is followed to its new name on the API's own origin",
    Effect.gen(function* () {
      const api = yield* gitHubApi(
        () => new Response(null, { status: 301, headers: { location: "/repositories/1000" } }),
        ok
      )
      expect(Option.isSome(yield* withSettings(api.settings)(rocket))).toBe(true)
      expect(api.seen.map(({ path }) => path)).toEqual(["/repos/acme/rocket", "/repositories/1000"])
    })
  )

  for (const status of [301, 302, 307, 308]) {
    it(
      `is not followed to another origin (${status})`,
      Effect.gen(function* () {
        const elsewhere = yield* gitHubApi(ok)
        const api = yield* gitHubApi(() => Response.redirect(`${elsewhere.url}/repos/acme/rocket`, status))
        expect(yield* withSettings(api.settings)(reason)).toBe("GitHub redirects elsewhere")
        expect(elsewhere.seen).toHaveLength(0)
      })
    )
  }

  it(
    "is not followed round in circles",
    Effect.gen(function* () {
      const api = yield* gitHubApi(() => new Response(null, { status: 301, headers: { location: "/again" } }))
      expect(yield* withSettings(api.settings)(reason)).toBe("GitHub redirects elsewhere")
      expect(api.seen).toHaveLength(4)
    })
  )

  for (const status of [404, 410]) {
    it(
      `is none where GitHub knows none (${status})`,
      Effect.gen(function* () {
        const api = yield* gitHubApi(() => refusing(status))
        expect(yield* withSettings(api.settings)(rocket)).toEqual(Option.none())
      })
    )
  }

  for (const status of [401, 403, 422, 500, 502, 503]) {
    it(
      `is an error when GitHub answers ${status}, and is asked for again the next time`,
      Effect.gen(function* () {
        const api = yield* gitHubApi(() => refusing(status), ok)
        expect(yield* withSettings(api.settings)(reason)).toBe(`GitHub answered ${status}`)
        expect(yield* withSettings(api.settings)(reason)).toBe("ok")
      })
    )
  }

  for (const [status, lasting] of [
    [401, true],
    [403, true],
    [429, false],
    [500, false],
    [503, false]
  ] as const) {
    it(
      `${lasting ? "need not" : "may"} be asked for again after ${status}`,
      Effect.gen(function* () {
        const api = yield* gitHubApi(() => refusing(status))
        expect(yield* withSettings(api.settings)(lasts)).toBe(lasting)
      })
    )
  }

  const useless: Record<string, () => Response> = {
    "no JSON": () => new Response("<html>"),
    nothing: () => new Response(null),
    "JSON of another shape": () => Response.json([rocketJson]),
    "more than a megabyte": () => Response.json({ ...rocketJson, more: "x".repeat(2_000_000) }),
    "without end": () =>
      new Response(
        new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536).fill(32)) })
      )
  }
  for (const [name, answer] of Object.entries(useless)) {
    it(
      `is an error when GitHub answers ${name}`,
      Effect.gen(function* () {
        const api = yield* gitHubApi(answer)
        expect(yield* withSettings(api.settings)(reason)).toBe("GitHub sent an unexpected response")
      })
    )
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
    it(
      `is given up on when GitHub ${name}`,
      Effect.gen(function* () {
        const api = yield* gitHubApi(answer)
        const [took, outcome] = yield* Effect.timed(withSettings(api.settings)(reason))
        expect(outcome).toBe("GitHub did not answer in time")
        expect(Duration.toMillis(took)).toBeLessThan(900)
      })
    )
  }

  it(
    "is an error when there is no connection",
    Effect.gen(function* () {
      const gone = yield* Effect.scoped(loopback(ok))
      expect(yield* withSettings({ GITHUB_API_URL: gone })(reason)).toBe("GitHub cannot be reached")
      expect(yield* withSettings({ GITHUB_API_URL: "nonsense" })(reason)).toBe("GitHub cannot be reached")
    })
  )

  it(
    "tells nothing of the token or the address in an error",
    Effect.gen(function* () {
      const gone = yield* Effect.scoped(loopback(ok))
      const error = yield* Effect.flip(withSettings({ GITHUB_API_URL: gone, GITHUB_TOKEN: TOKEN })(rocket))
      const told = `${Bun.inspect(error)} ${JSON.stringify(error)} ${error}`
      for (const secret of [TOKEN, gone, "rocket"]) expect(told).not.toContain(secret)
    })
  )

  it(
    "is not asked for where the address lies in none",
    Effect.gen(function* () {
      const api = yield* gitHubApi(ok)
      const nowhere = ["https://github.com/features/actions", "https://example.org/acme/rocket"]
      for (const address of nowhere)
        expect(yield* withSettings(api.settings)(find(address))).toEqual(Option.none())
      expect(api.seen).toHaveLength(0)
    })
  )
})

describe("GitHub's rate limit", () => {
  const now = Date.parse("2026-11-20T12:00:00Z")
  const inSeconds = (seconds: number) => String(now / 1000 + seconds)
  const limits: ReadonlyArray<readonly [name: string, answer: () => Response, seconds: number]> = [
    ["Retry-After in seconds", () => refusing(429, { "retry-after": "30" }), 30],
    ["Retry-After as a date", () => refusing(429, { "retry-after": "Fri, 20 Nov 2026 12:00:08 GMT" }), 8],
    ["403 with Retry-After", () => refusing(403, { "retry-after": "3", "x-ratelimit-remaining": "4000" }), 3],
    [
      "a spent limit",
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
    itOnTestClock(
      `keeps every call back for ${seconds} seconds after ${name}`,
      Effect.gen(function* () {
        yield* TestClock.setTime(now)
        const api = yield* gitHubApi(answer, ok)
        const ask = withSettings(api.settings)(reason)
        expect(yield* ask).toBe("GitHub limits requests")
        yield* TestClock.adjust(Duration.seconds(seconds - 1))
        expect(new Set(yield* Effect.replicateEffect(ask, 20))).toEqual(new Set(["GitHub limits requests"]))
        expect(api.seen).toHaveLength(1)
        yield* TestClock.adjust("1 second")
        expect(yield* ask).toBe("ok")
      })
    )
  }

  itOnTestClock(
    "does not hold back calls with another token or to another server",
    Effect.gen(function* () {
      const api = yield* gitHubApi(({ headers }) =>
        headers.get("authorization") === "Bearer new" ? ok() : refusing(429)
      )
      expect(yield* withSettings(api.settings)(reason)).toBe("GitHub limits requests")
      expect(yield* withSettings({ ...api.settings, GITHUB_TOKEN: "new" })(reason)).toBe("ok")
    })
  )

  itOnTestClock(
    "is not prolonged by a clock that was set back",
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const api = yield* gitHubApi(() => refusing(429), ok)
      expect(yield* withSettings(api.settings)(reason)).toBe("GitHub limits requests")
      yield* TestClock.setTime(now - 86_400_000)
      expect(yield* withSettings(api.settings)(reason)).toBe("ok")
    })
  )
})

describe("a repository on another host", () => {
  /** A Fetcher that knows these bodies by address, and remembers what it was asked. */
  const knowing = (bodies: Record<string, unknown>) => {
    const asked: Array<{ url: string; options: FetchOptions }> = []
    const fetch: Fetch = (url, options) => {
      asked.push({ url: url.href, options })
      const body = bodies[url.href]
      return body === undefined
        ? new FetchError({ reason: "status", status: 404 })
        : Effect.succeed({
            url,
            redirects: [],
            contentType: "application/json",
            body: new TextEncoder().encode(JSON.stringify(body)),
            cut: false
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

  const gitLab = knowing({ [`${api}?license=true`]: project, [`${api}/languages`]: { Rust: 90, Shell: 10 } })
  effectTest(gitLab.layer)(
    "is read from GitLab's API through the Fetcher, with its main language",
    Effect.gen(function* () {
      expect(yield* find(address)).toEqual(Option.some(expected))
      expect(gitLab.asked.map(({ url }) => url).toSorted()).toEqual([
        `${api}/languages`,
        `${api}?license=true`
      ])
      for (const { options } of gitLab.asked) {
        expect(options).toMatchObject({ accept: "application/json", maxBytes: 262_144 })
        expect(
          ["application/json", "application/problem+json", "text/html", ""].map(options.readable)
        ).toEqual([true, true, false, false])
      }
    })
  )

  effectTest(knowing({ [`${api}?license=true`]: project }).layer)(
    "is known without its languages",
    Effect.gen(function* () {
      expect(yield* find(address)).toEqual(Option.some({ ...expected, language: null }))
    })
  )

  effectTest(knowing({}).layer)(
    "is none where the host knows none",
    Effect.gen(function* () {
      expect(yield* find(address)).toEqual(Option.none())
      expect(yield* find("https://codeberg.org/a/b")).toEqual(Option.none())
    })
  )

  effectTest(
    knowing({ "https://codeberg.org/api/v1/repos/a/b": { full_name: "a/b", stars_count: 3 } }).layer
  )(
    "is read from Forgejo's API",
    Effect.gen(function* () {
      expect(Option.getOrNull(yield* find("https://codeberg.org/a/b/src/branch/main"))).toMatchObject({
        host: "codeberg.org",
        fullName: "a/b",
        stars: 3
      })
    })
  )

  effectTest(knowing({ "https://codeberg.org/api/v1/repos/a/b": { message: "no" } }).layer)(
    "is an error when the host describes none",
    Effect.gen(function* () {
      const error = yield* Effect.flip(find("https://codeberg.org/a/b"))
      expect(error.reason).toBe("the repository's host sent an unexpected response")
    })
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
      `is an error when the Fetcher says ${failure.status ?? failure.reason}`,
      Effect.gen(function* () {
        for (const host of ["gitlab.com", "codeberg.org"]) {
          const error = yield* Effect.flip(find(`https://${host}/a/b`))
          expect(error).toMatchObject({
            reason: `the repository's host gave no answer: ${failure.status ?? failure.reason}`,
            lasting
          })
        }
      })
    )
  }

  clockTest(asking(() => Effect.never, "5 seconds"))(
    "is given up on after five seconds",
    Effect.gen(function* () {
      const running = yield* Effect.fork(Effect.flip(find("https://gitlab.com/a/b")))
      yield* TestClock.adjust("5 seconds")
      expect((yield* Fiber.join(running)).reason).toBe("the repository's host did not answer in time")
    })
  )
})

describeData("repo-api", "GitHub's recorded answers", () => {
  const index =
    json<ReadonlyArray<{ file: string; full_name: string; stars: number; status?: number }>>(
      "repo-api/index.json"
    )
  for (const { file, full_name, stars } of index.filter((_) => _.file.startsWith("github/"))) {
    it(
      `${full_name} is found from ${file}`,
      Effect.gen(function* () {
        const api = yield* gitHubApi(() => new Response(new TextDecoder().decode(bytes(`repo-api/${file}`))))
        const found = yield* withSettings(api.settings)(find(`https://github.com/${full_name}`))
        expect(Option.getOrNull(found)).toMatchObject({ fullName: full_name, stars })
      })
    )
  }

  interface Mapping {
    readonly response: {
      readonly status: number
      readonly body: string
      readonly headers: Record<string, string | string[]>
    }
  }
  for (const { file } of index.filter((_) => _.file.startsWith("github-http/limit-"))) {
    itOnTestClock(
      `${file} is an error, and holds further calls back`,
      Effect.gen(function* () {
        const { status, body, headers } = json<Mapping>(`repo-api/${file}`).response
        const plain = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)])
        const api = yield* gitHubApi(() => new Response(body, { status, headers: plain }))
        expect(yield* withSettings(api.settings)(reason)).toBe("GitHub limits requests")
        expect(yield* withSettings(api.settings)(reason)).toBe("GitHub limits requests")
        expect(api.seen).toHaveLength(1)
      })
    )
  }

  interface Exchange {
    readonly status: number
    readonly path: string
    readonly response: unknown
  }
  it(
    "an error body is an error, and a repository beside it is found",
    Effect.gen(function* () {
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
  )
})
