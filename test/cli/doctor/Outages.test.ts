import { describe, expect, test } from "bun:test"
import { MODEL } from "../../../src/config/Configuration.ts"
import { closedPort, examine, fakeServer, findingsOf, runHere, runWithoutWaiting } from "../support/doctor.ts"
import { doctorWorld, SECRETS } from "../support/doctorWorld.ts"

const { everything } = await doctorWorld()

describe("linkbower doctor, outages", () => {
  /** Every dependency at one address. */
  const allAt = (url: string): Record<string, string> => ({
    ...everything(),
    PUBLIC_URL: url,
    FETCH_ALLOW: new URL(url).host,
    PORT: new URL(url).port,
    TELEGRAM_API_URL: url,
    ANTHROPIC_BASE_URL: url,
    GITHUB_API_URL: url,
    EMBEDDINGS_URL: url,
    ACCESS_TEAM_DOMAIN: url
  })

  const places: ReadonlyArray<readonly [group: string, name: string]> = [
    ["Service", "service"],
    ["Public address", "address"],
    ["Telegram", "bot"],
    ["Access gateway", "key server"],
    ["Language model", MODEL],
    ["GitHub", "API"],
    ["Embeddings", "embedder"]
  ]

  /** Repeats the whole request, as careless servers do. */
  const echo = async (request: Request, status: number) =>
    Response.json(
      {
        ok: false,
        error_code: status,
        description: `\u001b[31mUnauthorized: ${request.url}`,
        error: {
          message: `${request.url} ${JSON.stringify(request.headers.toJSON())} ${await request.text()}`
        }
      },
      { status }
    )

  const expectNoSecrets = (all: string) => {
    for (const secret of Object.values(SECRETS)) expect(all).not.toContain(secret)
    expect(all).not.toMatch(/\/bot\d|\n\s+at /)
    expect(all).not.toContain("\u001b")
  }

  const cases: ReadonlyArray<
    readonly [string, (request: Request) => Promise<Response>, ReadonlyArray<string>]
  > = [
    [
      "respond with 401",
      (request) => echo(request, 401),
      [
        "fail: .*not like Linkbower \\(401\\) \\| Another program",
        "warn: .*answers 401 \\| If that is a login",
        "fail: Telegram says: .*Unauthorized.*\\| TELEGRAM_BOT_TOKEN is invalid",
        "fail: .*an error or a redirect \\| Set ACCESS_TEAM_DOMAIN",
        "fail: its server rejects the key \\(401\\) \\| Set ANTHROPIC_API_KEY",
        "none",
        "fail: .*answered 401 \\| Check EMBEDDINGS_URL"
      ]
    ],
    [
      "respond with 500",
      (request) => echo(request, 500),
      [
        "fail: .*\\(500\\)",
        "fail: .*answers 500 \\| .*log",
        "fail: Telegram does not answer \\| Check that this server can connect",
        "fail: .*an error or a redirect",
        "fail: its server responds with 500 \\| Try again later",
        "warn: answers 500 \\| Try again later",
        "fail: .*answered 500"
      ]
    ],
    [
      "respond with 429",
      (request) => echo(request, 429),
      [
        "fail: .*\\(429\\)",
        "fail: .*answers 429 \\| .*limit",
        "warn: Telegram limits requests \\| Try again in 1 seconds",
        "fail: .*an error or a redirect",
        "warn: its server limits requests \\(429\\) \\| Raise",
        "warn: limits requests \\(429\\) \\| Wait an hour",
        "fail: .*"
      ]
    ],
    [
      "respond with HTML",
      async () => new Response("<html>Hello", { headers: { "content-type": "text/html" } }),
      [
        "fail: .*not like Linkbower \\| Another program",
        "fail: .*does not respond like Linkbower \\| Nothing answers at that path",
        "fail: Telegram does not answer",
        "fail: .*not a key set \\| Set ACCESS_TEAM_DOMAIN",
        "fail: its server sent an unexpected response \\| Check that ANTHROPIC_BASE_URL",
        "warn: sent an unexpected response \\| Check that GITHUB_API_URL",
        "fail: .*an unexpected response"
      ]
    ],
    [
      "hang",
      () => new Promise(() => {}),
      [
        "fail: .*does not respond \\| Restart",
        "fail: .*in time \\| ",
        "fail: Telegram does not answer in time",
        "fail: .*in time \\| Check that this server can connect",
        "fail: its server does not answer in time",
        "warn: does not answer in time",
        "fail: does not answer in time \\| Check EMBEDDINGS_URL"
      ]
    ]
  ]

  for (const [what, reply, expected] of cases)
    test(`gives advice when all servers ${what}, without secrets`, async () => {
      const server = fakeServer(reply)
      try {
        // Each of the seven servers has one request.
        const ran =
          what === "hang"
            ? await runWithoutWaiting("doctor --json", allAt(server.url), {
                isWaiting: () => server.requests.length >= places.length,
                skip: "8 seconds"
              })
            : await runHere("doctor --json", allAt(server.url))
        const { all, code, line } = findingsOf(ran)
        expect(code).toBe(1)
        for (const [place, [group, name]] of places.entries())
          expect(line(group, name)).toMatch(new RegExp(`^${expected[place]}`))
        if (what === "respond with 401")
          expect(line("GitHub", "token")).toContain("fail: rejected (401) | Unset GITHUB_TOKEN")
        expectNoSecrets(all)
      } finally {
        await server.stop()
      }
    })

  test("gives advice when nothing listens", async () => {
    const { all, code, line, named } = await examine(allAt(`http://127.0.0.1:${await closedPort()}`))
    expect(code).toBe(1)
    expect(line("Service", "service")).toContain("| Start it with `linkbower serve`")
    expect(line("Public address", "address")).toContain("cannot be reached | Nothing listens")
    expect(line("Telegram", "bot")).toContain("does not answer | Check that this server can connect")
    expect(line("Access gateway", "key server")).toContain("cannot be reached | Check that this server")
    expect(line("Language model", MODEL)).toContain("cannot be reached | Check the network")
    expect(line("GitHub", "API")).toContain("cannot be reached | Check the network")
    expect(line("Embeddings", "embedder")).toContain("unreachable | Check EMBEDDINGS_URL")
    expect(named("off", "Clock")).toEqual(["clock"])
    expectNoSecrets(all)
  })

  test("gives advice about invalid addresses", async () => {
    const { all, code, line, named } = await examine({
      ...allAt("http://127.0.0.1:9"),
      PUBLIC_URL: "nonsense",
      TELEGRAM_API_URL: "nonsense",
      ANTHROPIC_BASE_URL: "nonsense",
      GITHUB_API_URL: "nonsense",
      EMBEDDINGS_URL: "nonsense",
      ACCESS_TEAM_DOMAIN: "non sense",
      PORT: "many"
    })
    expect(code).toBe(1)
    expect(named("fail").sort()).toEqual([
      "ACCESS_TEAM_DOMAIN",
      "ANTHROPIC_BASE_URL",
      "GITHUB_API_URL",
      "PORT",
      "PUBLIC_URL",
      "TELEGRAM_API_URL",
      "bot",
      "embedder"
    ])
    expect(line("Settings", "PUBLIC_URL")).toContain("Expected an address that begins with https://")
    expect(line("Public address", "address")).toBe(
      "off: not checked: PUBLIC_URL is not usable | Correct it first."
    )
    expect(line("Access gateway", "key server")).toContain("ACCESS_TEAM_DOMAIN is not usable")
    expect(line("Language model", "model")).toContain("one of its settings is not usable")
    expect(line("Service", "service")).toContain("off: not checked")
    expectNoSecrets(all)
  })
})
