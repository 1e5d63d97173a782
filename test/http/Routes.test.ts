import { expect, test } from "bun:test"
import { HttpServer, HttpServerResponse } from "@effect/platform"
import { BunHttpServer } from "@effect/platform-bun"
import { Effect, Exit, Fiber, Layer, Scope } from "effect"
import { unavailableLayer } from "../../src/http/Routes.ts"

const server = BunHttpServer.layer({ port: 0, hostname: "127.0.0.1" })

test("the server answers 503 before its routes are served and while the last request ends", async () => {
  const seen = await Effect.gen(function* () {
    const { address, serve } = yield* HttpServer.HttpServer
    const base = address._tag === "TcpAddress" ? `http://127.0.0.1:${address.port}` : ""
    const status = (path: string) =>
      Effect.promise(async () => {
        const response = await fetch(base + path)
        await response.arrayBuffer()
        return response.status
      })
    const before = yield* status("/")
    const routes = yield* Scope.make()
    const slow = Effect.uninterruptible(Effect.delay(HttpServerResponse.text("done"), "400 millis"))
    yield* Scope.extend(serve(slow), routes)
    const last = yield* Effect.fork(status("/slow"))
    yield* Effect.sleep("100 millis")
    const closing = yield* Effect.fork(Scope.close(routes, Exit.void))
    yield* Effect.sleep("100 millis")
    const meanwhile = yield* status("/")
    yield* Fiber.join(last)
    yield* Fiber.join(closing)
    return [before, meanwhile, yield* status("/")]
  }).pipe(Effect.provide(Layer.provideMerge(unavailableLayer, server)), Effect.runPromise)
  expect(seen).toEqual([503, 503, 503])
})
