import { afterAll, describe, expect, test } from "bun:test"
import { allMetrics } from "../../src/telemetry/Metrics.ts"
import { ask } from "../support/raw.ts"
import { type Running, until, update, WEBHOOK_SECRET, type World } from "../support/service.ts"
import {
  startTestService,
  type TestService,
  useTestService,
  withTestService
} from "../support/testService.ts"
import { byTier, long } from "../support/tier.ts"

interface Line {
  readonly message: string
  readonly logLevel: string
  readonly timestamp: string
  readonly annotations: object
}

/** The lines of the log, each of which must be JSON. */
const linesOf = ({ output }: Running) =>
  output()
    .split("\n")
    .filter((line) => line !== "")
    .map((line): Line => JSON.parse(line))

/** The secret addresses of the feeds that the tests have read. */
const feeds: Array<string> = []

/** Private words and secrets that may appear in neither log nor telemetry. */
const confidential = ({ settings }: World) => [
  ...feeds,
  "quagga-note",
  "quagga-query",
  "quagga-user",
  "quagga-password",
  "quagga-path",
  WEBHOOK_SECRET,
  ...["EXTENSION_TOKEN", "TELEGRAM_BOT_TOKEN", "ANTHROPIC_API_KEY"].map((name) => settings[name] ?? name)
]

/** Saves from the chat and the extension, searches, and invalid requests, with private words wherever they fit. */
const use = async ({ client, world }: TestService) => {
  const page = `${world.pages.url}/plain?t=quagga-path`
  expect((await client.webhook(update(`${page} quagga-note`))).status).toBe(200)
  await until(async () => (await client.links()).length === 1)
  await until(() => world.telegram.calls.some(({ method }) => method === "sendMessage"))
  const closed = `http://quagga-user:quagga-password@127.0.0.1:1/quagga-path`
  await client.capture({ url: `${world.pages.url}/plain?t=2`, note: "quagga-note", title: "quagga-note" })
  await client.capture({ url: closed })
  expect((await client.owner("GET", "/api/links?q=quagga-query")).status).toBe(200)
  expect((await client.owner("POST", "/api/mutate", { note: "quagga-note" })).status).toBe(400)
  await client.send("GET", "/list?q=quagga-query", undefined, {})
  await client.send("GET", "/quagga-path", undefined, {})
  await client.send("GET", "/feeds/quagga-path", undefined, {})
  const saved = await client.owner("POST", "/api/searches", { name: "quagga-note", query: "quagga-query" })
  const { search } = await saved.json()
  feeds.push(search.feed.slice("/feeds/".length))
  expect((await client.send("GET", search.feed, undefined, {})).status).toBe(200)
  await client.send("POST", "/webhook", {}, { "x-telegram-bot-api-secret-token": "quagga-query" })
}

interface Sent {
  readonly path: string
  readonly key: string | null
  readonly body: string
}

const collecting = (answer: () => Response | Promise<Response>) => {
  const sent: Array<Sent> = []
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 60,
    fetch: async (request) => {
      const { pathname } = new URL(request.url)
      sent.push({ path: pathname, key: request.headers.get("x-key"), body: await request.text() })
      return answer()
    }
  })
  return { sent, url: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) }
}

/** Each test comes after those that ask for less. */
describe("a service with a metrics page and a collector", () => {
  const collector = collecting(() => Response.json({}))
  afterAll(collector.stop)
  const service = useTestService(() => ({
    settings: {
      METRICS_PORT: "0",
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: "x-key=quagga"
    }
  }))
  const pageAddress = () =>
    until(
      () =>
        service()
          .running.output()
          .match(/metrics are at (http:[^"]+)\/metrics/)?.[1]
    )

  test("serves the page alone, at its own loopback address", async () => {
    const address = await pageAddress()
    expect(address).toStartWith("http://127.0.0.1:")
    for (const path of ["/", "/metrics/", "/metricsx", "/healthz", "/dashboard"])
      expect((await fetch(address + path)).status).toBe(404)
    expect((await fetch(`${address}/metrics`, { method: "POST", body: "" })).status).toBe(404)
    expect((await fetch(`${service().running.base}/metrics`)).status).toBe(404)
  })

  const requests: ReadonlyArray<readonly [lines: ReadonlyArray<string>, status: number]> = [
    [["Host: 127.0.0.1:9464"], 200],
    [["Host: localhost"], 200],
    [["Host: [::1]:9464"], 200],
    // A Prometheus in a container, whose host forwards the port.
    [["Host: 172.17.0.1:9464"], 200],
    [["Host: localhost", "Sec-Fetch-Site: none"], 200],
    [
      [
        "Host: localhost",
        "Sec-Fetch-Site: cross-site",
        "Sec-Fetch-Mode: navigate",
        "Sec-Fetch-Dest: document"
      ],
      200
    ],
    [["Host: evil.example"], 403],
    [["Host: evil.example:9464"], 403],
    [["Host: localhost.evil.example"], 403],
    [["Host: 127.0.0.1.nip.io"], 403],
    [["Host: localhost", "Host: localhost"], 403],
    [["Host: user@localhost"], 403],
    [["Host:"], 403],
    [["Host: localhost", "Sec-Fetch-Site: cross-site"], 403],
    [["Host: localhost", "Sec-Fetch-Site: same-site"], 403],
    [["Host: localhost", "Origin: https://evil.example"], 403]
  ]
  test("refuses the page to websites: other host names, other sites, and several hosts", async () => {
    const address = await pageAddress()
    for (const [lines, status] of requests) {
      const answer = await ask(address, { target: "/metrics", lines })
      expect([lines, answer.status, answer.body.includes("linkbower_links")]).toEqual([
        lines,
        status,
        status === 200
      ])
      expect(answer.headers["cross-origin-resource-policy"]).toBe("same-origin")
    }
    const withoutHost = await ask(address, { target: "/metrics", lines: [], version: "1.0" })
    expect(withoutHost.status).toBe(403)
  })

  test("counts its work in every metric, without private words", async () => {
    const { world } = service()
    const address = await pageAddress()
    await use(service())
    const response = await fetch(`${address}/metrics`)
    expect([response.status, response.headers.get("content-type")]).toEqual([
      200,
      "text/plain; version=0.0.4; charset=utf-8"
    ])
    const lines = [
      'linkbower_links_saved_total{source="chat"} 1',
      'linkbower_http_requests_total{method="POST",route="/webhook",status="200"} 1',
      'linkbower_http_requests_total{method="POST",route="/webhook",status="403"} 1',
      'linkbower_gate_refusals_total{gate="webhook"} 1',
      'linkbower_searches_total{audience="owner"} 1',
      'linkbower_searches_total{audience="public"} 1',
      "linkbower_search_duration_seconds_count 2",
      'linkbower_model_calls_total{outcome="ok"} 2',
      'linkbower_chat_calls_total{method="sendMessage",outcome="ok"} 1',
      'linkbower_circuit_open{circuit="model"} 0',
      "linkbower_inbox_waiting 0",
      "linkbower_inbox_failures_total 0",
      "linkbower_outbox_waiting 0"
    ]
    // The captures are answered before their pages are read and described.
    let text = await response.text()
    const missing = () => [
      ...lines.filter((line) => !text.split("\n").includes(line)),
      ...(/^linkbower_links [23]$/m.test(text) ? [] : ["linkbower_links"])
    ]
    await until(async () => {
      text = await (await fetch(`${address}/metrics`)).text()
      return missing().length === 0
    }).catch(() => undefined)
    expect(missing()).toEqual([])
    for (const { kind, name } of allMetrics) expect(text).toContain(`# TYPE ${name} ${kind}\n`)
    expect(text).toMatch(/^linkbower_build_info\{version="\d+\.\d+\.\d+[^"]*"\} 1$/m)
    for (const name of ["database_size_bytes", "process_resident_memory_bytes", "uptime_seconds"])
      expect(text).toMatch(new RegExp(`^linkbower_${name} [1-9]`, "m"))
    for (const word of confidential(world)) expect(text).not.toContain(word)
  })

  test("logs no rejected requests", async () => {
    const { client, running } = service()
    const wrong = { "x-telegram-bot-api-secret-token": "wrong", authorization: "Bearer wrong" }
    const before = linesOf(running).length
    for (let round = 0; round < byTier(1, 20); round++)
      await Promise.all(
        ["/webhook", "/capture/api/link", "/dashboard/api/mutate"].flatMap((path) =>
          Array.from({ length: 10 }, () => client.send("POST", path, { round }, wrong))
        )
      )
    expect(linesOf(running).length).toBe(before)
  })

  test("sends spans, logs and metrics, without private words", async () => {
    const { running, world } = service()
    await running.stop()
    const of = (signal: string) =>
      collector.sent.flatMap(({ body, path }) => (path === `/v1/${signal}` ? [body] : [])).join("\n")
    for (const name of ["POST /webhook", "GET /dashboard/api/links", "Inbox.work", "Enricher.gather"])
      expect(of("traces")).toContain(`"name":"${name}"`)
    for (const name of [
      "SaveLink.upsert",
      "SaveLink.finish",
      "Fetcher.fetch",
      "LanguageModel.ask",
      "LinkStore.upsert"
    ])
      expect(of("traces")).toContain(`"name":"${name}"`)
    expect(of("logs")).toContain("listens on")
    expect(of("metrics")).toContain('"name":"linkbower_links_saved_total"')
    expect(of("metrics")).toContain('"key":"service.name","value":{"stringValue":"linkbower"}')
    expect(collector.sent.every(({ key }) => key === "quagga")).toBe(true)
    const everything = collector.sent.map(({ body }) => body).join("\n") + running.output()
    for (const word of confidential(world)) expect(everything).not.toContain(word)
  })
})

test.concurrent("a METRICS_PORT in use keeps the service from starting, and the log says so", async () => {
  const other = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    // It would even share its port.
    reusePort: true,
    fetch: () => new Response("other")
  })
  const failure = await startTestService({ settings: { METRICS_PORT: String(other.port) } }).then(
    String,
    String
  )
  expect(failure).toContain(`METRICS_PORT ${other.port} is in use by another program.`)
  expect(failure).toContain("ended with 1")
  expect(failure).not.toMatch(/EADDRINUSE|listens on/)
  await other.stop(true)
})

describe("a collector", () => {
  long(test.concurrent)("that hangs costs one log line, and delays nothing", async () => {
    const collector = collecting(() => new Promise<Response>(() => {}))
    await withTestService({ settings: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } }, async (service) => {
      const { client, running } = service
      await use(service)
      const before = performance.now()
      for (let n = 0; n < 50; n++) expect((await client.health()).code).toBe(200)
      expect(performance.now() - before).toBeLessThan(30_000)
      await until(() => running.output().includes("the collector accepts no telemetry"))
      const stopping = performance.now()
      expect(await running.stop()).toBe(0)
      expect(performance.now() - stopping).toBeLessThan(60_000)
      expect(linesOf(running).filter(({ message }) => message.includes("collector"))).toHaveLength(1)
    }).finally(collector.stop)
  })
})

describe("the log", () => {
  test.concurrent("is JSON lines: one at the start that names gates and no values, and one at the end", () =>
    withTestService(
      { settings: { EXTENSION_TOKEN: undefined, ANTHROPIC_API_KEY: undefined } },
      async ({ running }) => {
        await running.stop()
        const lines = linesOf(running)
        for (const { annotations, logLevel, message, timestamp } of lines) {
          expect([typeof message, typeof annotations]).toEqual(["string", "object"])
          expect(logLevel).toMatch(/^[A-Z]+$/)
          expect(timestamp).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
        }
        const starts = lines.findIndex(({ message }) => message.includes(" listens on "))
        const [first, second] = lines.slice(starts)
        expect(first?.message).toMatch(
          /^Linkbower \d+\.\d+\.\d+.* listens on http:\/\/127\.0\.0\.1:\d+ with its library in .*\/data; /
        )
        expect(first?.message).toEndWith("gates open: webhook, chat, dashboard; closed: extension")
        expect(second).toMatchObject({
          logLevel: "WARN",
          message:
            "Unset: EXTENSION_TOKEN (keeps the gate extension closed), ANTHROPIC_API_KEY (links get no summary and tags)"
        })
        expect(lines.filter(({ message }) => message.startsWith("Linkbower is stopping after"))).toHaveLength(
          1
        )
      }
    ))

  for (const [level, shown, register] of [
    ["debug", ["DEBUG", "INFO"], long(test.concurrent)],
    ["error", [], test.concurrent]
  ] as const)
    long(register)(`has no line below LOG_LEVEL=${level}`, () =>
      withTestService({ settings: { LOG_LEVEL: level } }, async ({ client, running }) => {
        await client.send("GET", "/dashboard/api/links", undefined, {})
        await running.stop()
        const levels = new Set(linesOf(running).map(({ logLevel }) => logLevel))
        expect([...levels].toSorted()).toEqual([...shown])
      })
    )
})
