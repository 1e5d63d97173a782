import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import { allMetrics } from "../../src/telemetry/Metrics.ts"
import { ask } from "../support/raw.ts"
import {
  makeClient,
  makeWorld,
  type Running,
  startService,
  until,
  update,
  WEBHOOK_SECRET,
  type World
} from "../support/service.ts"

// A test that is cut off would take the service with it.
setDefaultTimeout(60_000)

let world: World
let service: Running | undefined
beforeAll(async () => {
  world = await makeWorld()
})
afterEach(async () => {
  await service?.stop()
  service?.clean()
  service = undefined
})
afterAll(() => world.stop())

const start = async (settings: Record<string, string | undefined>) => {
  const all = Object.entries({ ...world.settings, ...settings })
  const set = all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
  service = await startService(Object.fromEntries(set))
  return service
}

interface Line {
  readonly message: string
  readonly logLevel: string
  readonly timestamp: string
  readonly annotations: object
}

/** The lines of the log, each of which must be JSON. */
const linesOf = ({ output }: Pick<Running, "output">) =>
  output()
    .split("\n")
    .filter((line) => line !== "")
    .map((line): Line => JSON.parse(line))

const messagesOf = (running: Running) => linesOf(running).map(({ message }) => message)

/** Everything a person or a key server would not want to see anywhere else. */
const confidential = () => [
  "quagga-note",
  "quagga-query",
  "quagga-user",
  "quagga-password",
  "quagga-path",
  WEBHOOK_SECRET,
  ...["EXTENSION_TOKEN", "TELEGRAM_BOT_TOKEN", "ANTHROPIC_API_KEY"].map(
    (name) => world.settings[name] ?? name
  )
]

/** Saves from the chat and the extension, a search, refusals and a request for nothing, with secrets wherever there is room. */
const use = async (running: Running) => {
  const client = makeClient(running, world)
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
  await client.send("POST", "/webhook", {}, { "x-telegram-bot-api-secret-token": "quagga-query" })
}

describe("the page for Prometheus", () => {
  const pageOf = async (running: Running) => {
    const address = await until(() => running.output().match(/metrics are at (http:[^"]+)\/metrics/)?.[1])
    return { address, text: async () => (await fetch(`${address}/metrics`)).text() }
  }

  test("has every metric, with what has been done, at a loopback address of its own", async () => {
    const running = await start({ METRICS_PORT: "0" })
    const page = await pageOf(running)
    expect(page.address).toStartWith("http://127.0.0.1:")
    await use(running)
    const response = await fetch(`${page.address}/metrics`)
    expect([response.status, response.headers.get("content-type")]).toEqual([
      200,
      "text/plain; version=0.0.4; charset=utf-8"
    ])
    const text = await response.text()
    for (const { kind, name } of allMetrics) expect(text).toContain(`# TYPE ${name} ${kind}\n`)
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
    // The captures answer before their pages are read and described.
    const present = async () => {
      const now = (await page.text()).split("\n")
      return lines.filter((line) => now.includes(line))
    }
    await until(async () => (await present()).length === lines.length).catch(() => undefined)
    expect(await present()).toEqual(lines)
    expect(text).toMatch(/^linkbower_links [23]$/m)
    expect(text).toMatch(/^linkbower_build_info\{version="\d+\.\d+\.\d+[^"]*"\} 1$/m)
    for (const name of ["database_size_bytes", "process_resident_memory_bytes", "uptime_seconds"])
      expect(text).toMatch(new RegExp(`^linkbower_${name} [1-9]`, "m"))
    for (const secret of confidential()) expect(text).not.toContain(secret)
  })

  test("has nothing beside it, and is not among what the service itself answers", async () => {
    const running = await start({ METRICS_PORT: "0" })
    const { address } = await pageOf(running)
    for (const path of ["/", "/metrics/", "/metricsx", "/healthz", "/dashboard"])
      expect((await fetch(address + path)).status).toBe(404)
    expect((await fetch(`${address}/metrics`, { method: "POST", body: "" })).status).toBe(404)
    expect((await fetch(`${running.base}/metrics`)).status).toBe(404)
  })

  test("is not for web pages: other host names, other sites and several hosts get nothing of it", async () => {
    const { address } = await pageOf(await start({ METRICS_PORT: "0" }))
    for (const [lines, status] of [
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
    ] as const) {
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

  test("that cannot have its port is a sentence, and the service does not start", async () => {
    const other = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("other") })
    const { port } = other
    const failure = await start({ METRICS_PORT: String(port) }).then(String, String)
    await other.stop(true)
    expect(failure).toContain(`METRICS_PORT ${port} is in use by another program.`)
    expect(failure).toContain("ended with 1")
    expect(failure).not.toMatch(/EADDRINUSE|listens on/)
  })
})

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

describe("a collector", () => {
  test("gets spans, logs and metrics, and none of what is nobody's business", async () => {
    const collector = collecting(() => Response.json({}))
    const running = await start({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: "x-key=quagga"
    })
    await use(running)
    await running.stop()
    await collector.stop()
    const of = (signal: string) =>
      collector.sent.flatMap(({ body, path }) => (path === `/v1/${signal}` ? [body] : [])).join("\n")
    for (const name of ["POST /webhook", "GET /dashboard/api/links", "Inbox.work", "Enricher.gather"])
      expect(of("traces")).toContain(`"name":"${name}"`)
    for (const name of [
      "SaveLink.claim",
      "SaveLink.finish",
      "Fetcher.fetch",
      "LanguageModel.ask",
      "LinkStore.claim"
    ])
      expect(of("traces")).toContain(`"name":"${name}"`)
    expect(of("logs")).toContain("listens on")
    expect(of("metrics")).toContain('"name":"linkbower_links_saved_total"')
    expect(of("metrics")).toContain('"key":"service.name","value":{"stringValue":"linkbower"}')
    expect(collector.sent.every(({ key }) => key === "quagga")).toBe(true)
    const everything = collector.sent.map(({ body }) => body).join("\n") + running.output()
    for (const secret of confidential()) expect(everything).not.toContain(secret)
  })

  test("that hangs changes nothing but the log, once", async () => {
    const collector = collecting(() => new Promise<Response>(() => {}))
    const running = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
    world.telegram.calls.length = 0
    await use(running)
    const client = makeClient(running, world)
    const before = performance.now()
    for (let n = 0; n < 50; n++)
      expect((await client.send("GET", "/healthz", undefined, {})).status).toBe(200)
    expect(performance.now() - before).toBeLessThan(5000)
    await until(() => running.output().includes("the collector accepts no telemetry"))
    const stopping = performance.now()
    expect(await running.stop()).toBe(0)
    expect(performance.now() - stopping).toBeLessThan(10_000)
    await collector.stop()
    expect(messagesOf(running).filter((line) => line.includes("collector"))).toHaveLength(1)
  })
})

describe("the log", () => {
  test("is one JSON object a line, with one line at the start that names gates and no values, and one at the end", async () => {
    const running = await start({ EXTENSION_TOKEN: undefined, ANTHROPIC_API_KEY: undefined })
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
    expect(lines.filter(({ message }) => message.startsWith("Linkbower is stopping after"))).toHaveLength(1)
  })

  for (const [level, shown] of [
    ["debug", ["DEBUG", "INFO"]],
    ["warning", []],
    ["error", []]
  ] as const)
    test(`holds nothing below LOG_LEVEL=${level}`, async () => {
      const running = await start({ LOG_LEVEL: level })
      await makeClient(running, world).send("GET", "/dashboard/api/links", undefined, {})
      await running.stop()
      const levels = new Set(linesOf(running).map(({ logLevel }) => logLevel))
      expect([...levels].toSorted()).toEqual([...shown])
    })

  test("does not grow with requests that are refused", async () => {
    const running = await start({})
    const client = makeClient(running, world)
    const wrong = { "x-telegram-bot-api-secret-token": "wrong", authorization: "Bearer wrong" }
    const before = linesOf(running).length
    for (let round = 0; round < 100; round++)
      await Promise.all(
        ["/webhook", "/capture/api/link", "/dashboard/api/mutate"].flatMap((path) =>
          Array.from({ length: 10 }, () => client.send("POST", path, { round }, wrong))
        )
      )
    expect(linesOf(running).length).toBe(before)
  })
})
