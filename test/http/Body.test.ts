import { describe, expect } from "bun:test"
import { connect } from "node:net"
import { HttpLayerRouter, HttpServer, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { BunHttpServer } from "@effect/platform-bun"
import { Duration, Effect, Either, Fiber, Layer, Option, Schema, Stream, TestClock } from "effect"
import { Callers } from "../../src/gates/Callers.ts"
import { CaptureBody } from "../../src/http/api/Middleware.ts"
import { BodyPace, bodyStream, makeCaptureBody, OpenBody, readText } from "../../src/http/Body.ts"
import { clockTest, effectTest } from "../support/effect.ts"
import { byTier, isLong, long } from "../support/tier.ts"

/** Bun counts in steps of four seconds: it closes a connection that is silent for this long after 8 to 12 seconds. */
const IDLE_SECONDS = 9
/** How long a body may be below its pace. */
const SHORT = byTier(1, 5)

/** Responds with the length of the body that was read, or with the error's tag. */
const respondWith = <E extends { readonly _tag: string }, R>(size: Effect.Effect<number, E, R>) =>
  Effect.map(Effect.either(size), (read) =>
    HttpServerResponse.text(Either.match(read, { onLeft: ({ _tag }) => _tag, onRight: String }))
  )

const lengthOf = Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
  Stream.runFold(bodyStream(request), 0, (size, chunk) => size + chunk.length)
)

const routes = Layer.mergeAll(
  HttpLayerRouter.add("POST", "/stream", respondWith(lengthOf)),
  HttpLayerRouter.add("POST", "/text", respondWith(Effect.map(readText, (text) => text.length))),
  HttpLayerRouter.add(
    "POST",
    "/capture",
    respondWith(
      Effect.map(Effect.scoped(Effect.flatten(CaptureBody)), () => 0).pipe(
        Effect.provideServiceEffect(CaptureBody, makeCaptureBody)
      )
    )
  ),
  // Responds some time after the body is complete.
  HttpLayerRouter.add(
    "POST",
    "/later",
    respondWith(
      Effect.zipLeft(
        Effect.map(readText, (text) => text.length),
        Effect.sleep("7 seconds")
      )
    )
  )
)

const served = (floor: number, idle = IDLE_SECONDS) =>
  HttpLayerRouter.serve(routes, { disableLogger: true, disableListenLog: true }).pipe(
    Layer.provide(Layer.succeed(BodyPace, { idle: Duration.seconds(idle), floor })),
    Layer.provideMerge(
      BunHttpServer.layer({ hostname: "127.0.0.1", port: 0, idleTimeout: Math.max(idle, 5) })
    )
  )

interface SlowRequest {
  readonly path: string
  /** Header lines after the host. */
  readonly lines: ReadonlyArray<string>
  readonly piece: string
  /** Number of pieces sent, one every `every` milliseconds. */
  readonly pieces: number
  readonly every?: number
  /** Sent after the last piece. */
  readonly last?: string
}

interface Outcome {
  /** The response body; empty if the connection was closed without a response. */
  readonly response: string
  readonly seconds: number
  /** Whether the connection was closed before everything was sent. */
  readonly isCut: boolean
}

/** Sends a request whose body comes in pieces. */
const send = ({ every = 250, last = "", lines, path, piece, pieces }: SlowRequest) =>
  Effect.flatMap(HttpServer.HttpServer, ({ address }) =>
    Effect.async<Outcome>((resume) => {
      const start = performance.now()
      const port = address._tag === "TcpAddress" ? address.port : 0
      const head = [`POST ${path} HTTP/1.1`, "Host: localhost", "Connection: close", ...lines, "", ""].join(
        "\r\n"
      )
      const socket = connect(port, "127.0.0.1", () => socket.write(head))
      let sent = 0
      const timer = setInterval(() => {
        socket.write(sent < pieces ? piece : last)
        if (sent++ >= pieces) clearInterval(timer)
      }, every)
      let text = ""
      socket.on("data", (chunk) => {
        text += chunk.toString()
      })
      // A closed connection shows as an empty response.
      socket.on("error", () => {})
      socket.on("close", () => {
        clearInterval(timer)
        resume(
          Effect.succeed({
            response: text.split("\r\n\r\n")[1] ?? "",
            isCut: sent < pieces,
            seconds: (performance.now() - start) / 1000
          })
        )
      })
    })
  )

describe.concurrent("a request body", () => {
  long(effectTest(served(10)))(
    "may take longer than the idle limit while bytes flow; a silent one is closed",
    Effect.gen(function* () {
      const long = "Content-Length: 52000"
      const dripping = { piece: "x".repeat(1_000), pieces: 52 }
      const [stream, text, chunked, later, silent, stalled] = yield* Effect.all(
        [
          send({ path: "/stream", lines: [long], ...dripping }),
          send({ path: "/text", lines: [long], ...dripping }),
          send({
            path: "/text",
            lines: ["Transfer-Encoding: chunked"],
            piece: "5\r\n12345\r\n",
            pieces: 52,
            last: "0\r\n\r\n"
          }),
          send({ path: "/later", lines: ["Content-Length: 26"], piece: "x", pieces: 26 }),
          send({ path: "/stream", lines: [long], piece: "", pieces: 0 }),
          send({ path: "/stream", lines: [long], piece: "x".repeat(1_000), pieces: 8 })
        ],
        { concurrency: "unbounded" }
      )
      expect([stream, text, chunked, later].map(({ response }) => response)).toEqual([
        "52000",
        "52000",
        "260",
        "26"
      ])
      for (const { seconds } of [stream, text, chunked, later]) expect(seconds).toBeGreaterThan(12.5)
      expect([silent.response, stalled.response]).toEqual(["", ""])
      expect(silent.seconds).toBeWithin(7, 13)
      expect(stalled.seconds).toBeWithin(9, 16)
    })
  )

  effectTest(served(10_000, SHORT))(
    "below the minimum pace is cut off, although bytes flow",
    Effect.gen(function* () {
      const trickle = { lines: ["Content-Length: 40000"], piece: "x", pieces: 100, every: 100 }
      // Fast enough for any other body.
      const capture = {
        lines: ["Content-Type: application/json", "Content-Length: 400000"],
        piece: "x".repeat(1_500)
      }
      for (const { isCut, response, seconds } of yield* Effect.all(
        [
          send({ path: "/stream", ...trickle }),
          send({ path: "/text", ...trickle }),
          send({ path: "/capture", ...trickle, ...capture })
        ],
        { concurrency: "unbounded" }
      )) {
        // The system resets a connection that is closed while bytes arrive; the reset may overtake the response.
        expect(["RequestTimeout", ""]).toContain(response)
        expect(isCut).toBe(true)
        if (isLong) expect(seconds).toBeWithin(5, 8)
      }
    })
  )
})

clockTest(Layer.succeed(BodyPace, { idle: Duration.seconds(1), floor: 10_000 }))(
  "a body below the minimum pace fails as timed out",
  function* () {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const writer = writable.getWriter()
    const request = HttpServerRequest.fromWeb(
      new Request("http://localhost/", { method: "POST", body: readable })
    )
    const reading = yield* Effect.fork(Effect.flip(Stream.runDrain(bodyStream(request))))
    const send = Effect.promise(() => writer.write(Uint8Array.of(1)))
    yield* send
    yield* TestClock.adjust("900 millis")
    yield* send
    expect(yield* Fiber.poll(reading)).toEqual(Option.none())
    yield* TestClock.adjust("200 millis")
    yield* send
    expect((yield* Fiber.join(reading))._tag).toBe("RequestTimeout")
  }
)

const callers = Layer.succeed(Callers, {
  find: ({ headers }) => Effect.succeed({ key: "", isKnown: headers["cookie"] !== undefined }),
  remember: () => Effect.die("not asked"),
  unnamedProxies: Effect.succeed([])
})

describe("a body that comes before its sender has shown anything", () => {
  const it = clockTest(Layer.provide(Layer.effect(OpenBody, OpenBody.make), callers))
  /** Reads a body that never ends. */
  const readEndless = (headers: Record<string, string> = {}) =>
    Effect.flatMap(OpenBody, ({ read }) => read(Schema.Struct({}))).pipe(
      Effect.provideService(
        HttpServerRequest.HttpServerRequest,
        HttpServerRequest.fromWeb(
          new Request("http://localhost/", {
            method: "POST",
            headers: { "content-type": "application/json", ...headers },
            body: new ReadableStream({
              start: (controller) => controller.enqueue(new TextEncoder().encode("{"))
            })
          })
        )
      ),
      Effect.flip,
      Effect.map(({ _tag }) => _tag),
      Effect.fork
    )
  const hasEnded = <A, E>(fiber: Fiber.RuntimeFiber<A, E>) => Effect.map(Fiber.poll(fiber), Option.isSome)

  it("has ten seconds", function* () {
    const reading = yield* readEndless()
    yield* TestClock.adjust("9 seconds")
    expect(yield* hasEnded(reading)).toBe(false)
    yield* TestClock.adjust("1 second")
    expect(yield* Fiber.join(reading)).toBe("RequestTimeout")
  })

  it("makes room for the next while many arrive, in a share of its own if the owner has used the browser", function* () {
    const known = yield* readEndless({ cookie: "known" })
    const strangers = yield* Effect.all(Array.from({ length: 130 }, () => readEndless()))
    expect(yield* Effect.all(strangers.slice(0, 2).map(Fiber.join))).toEqual([
      "RequestTimeout",
      "RequestTimeout"
    ])
    yield* TestClock.adjust("1 second")
    expect(yield* Effect.filter([known, ...strangers.slice(2)], hasEnded)).toEqual([])
  })
})
