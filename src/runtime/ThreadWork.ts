import { getPriority, setPriority } from "node:os"
import * as BunRuntime from "@effect/platform-bun/BunRuntime"
import {
  Cause,
  Context,
  Effect,
  Exit,
  Fiber,
  Layer,
  type ParseResult,
  Predicate,
  Queue,
  Schema,
  Stream
} from "effect"
import { releaseMemory } from "./Rest.ts"
import { exitSchema, type Message, type Reply, type ThreadService } from "./Thread.ts"

/** The number of streamed parts that may be in flight at once. */
const PARTS_AHEAD = 4

const reasonOf = (cause: Cause.Cause<unknown>) => {
  const error = Cause.squash(cause)
  return error instanceof Error ? error.message : String(error)
}

const isStream = (work: unknown): work is Stream.Stream<unknown, unknown> =>
  Predicate.hasProperty(work, Stream.StreamTypeId)

const isEffect = (work: unknown): work is Effect.Effect<unknown, unknown> => Effect.isEffect(work)

/** Calls a member of a service; passes the parts of a stream to `send`. */
const call = (
  service: object,
  { args, method }: Extract<Message, { readonly type: "ask" }>,
  send: (part: unknown) => Effect.Effect<void>
) =>
  Effect.suspend((): Effect.Effect<unknown, unknown> => {
    const member: unknown = Reflect.get(service, method)
    const work: unknown = typeof member === "function" ? member(...args) : member
    if (isStream(work)) return Stream.runForEach(work, send)
    return isEffect(work) ? work : Effect.dieMessage(`The thread has no method ${method}`)
  })

const answerUntilEnd = Effect.fnUntraced(function* <I, S extends object, E, EI, X>(
  { failure, tag }: ThreadService<I, S, E, EI>,
  layer: Layer.Layer<I, X>
) {
  const messages = yield* Queue.unbounded<Message>()
  const reply = (message: Reply) => Effect.sync(() => self.postMessage(message))
  self.addEventListener("message", ({ data }: MessageEvent<Message>) => {
    messages.unsafeOffer(data)
  })
  const services = yield* Effect.tapErrorCause(Layer.build(layer), (cause) =>
    reply({ type: "failed", reason: reasonOf(cause) })
  )
  const service = Context.get(services, tag)
  yield* reply({ type: "ready" })
  yield* releaseMemory

  const encodeFailure = Schema.encodeUnknown(exitSchema(Schema.Unknown, failure))
  const encodeExit = (exit: Exit.Exit<unknown, unknown>): Effect.Effect<unknown, ParseResult.ParseError> =>
    // As the schema encodes a success, for a tenth of the cost.
    Exit.isSuccess(exit) ? Effect.succeed({ _tag: "Success", value: exit.value }) : encodeFailure(exit)
  const work = new Map<number, { readonly fiber: Fiber.Fiber<void>; readonly room: Effect.Semaphore }>()
  for (;;) {
    const message = yield* Queue.take(messages)
    if (message === null) return
    switch (message.type) {
      case "ping":
        yield* reply({ type: "pong" })
        break
      case "more":
        yield* work.get(message.id)?.room.release(1) ?? Effect.void
        break
      case "cancel": {
        const one = work.get(message.id)
        if (one !== undefined) yield* Fiber.interruptFork(one.fiber)
        break
      }
      case "ask": {
        const { id } = message
        const room = yield* Effect.makeSemaphore(PARTS_AHEAD)
        const send = (part: unknown) => Effect.zipRight(room.take(1), reply({ type: "part", id, part }))
        const fiber = yield* Effect.exit(call(service, message, send)).pipe(
          Effect.flatMap(encodeExit),
          // A result that cannot be encoded or sent is a defect, which any call's exit can hold.
          Effect.flatMap((exit) => reply({ type: "exit", id, exit })),
          Effect.catchAllCause((cause) =>
            Effect.flatMap(Effect.orDie(encodeExit(Exit.die(Cause.pretty(cause)))), (exit) =>
              reply({ type: "exit", id, exit })
            )
          ),
          Effect.ensuring(Effect.sync(() => work.delete(id))),
          Effect.fork
        )
        work.set(id, { fiber, room })
      }
    }
  }
})

/**
 * Runs the calling thread's program: it provides the service until asked to exit. The first calls wait for the layer,
 * and the parent receives the reason if it fails. Spans are off, because nothing exports them from here.
 */
export const serveThread = <I, S extends object, E, EI, X>(
  service: ThreadService<I, S, E, EI>,
  layer: Layer.Layer<I, X>
): void =>
  answerUntilEnd(service, layer).pipe(
    Effect.scoped,
    Effect.withTracerEnabled(false),
    // By default the runtime exits after a successful program only once the event loop is empty.
    BunRuntime.runMain({ teardown: (exit) => process.exit(Exit.isSuccess(exit) ? 0 : 1) })
  )

/** How much lower the priority of background threads is, in steps of `nice`: ten get a tenth of a contested processor. */
const NICE = 10

/**
 * Lets other threads use the processor before the calling thread and the threads that it starts from now on. On Linux
 * only, where a thread has its own priority: elsewhere the whole program would give way.
 */
export const yieldProcessor: Effect.Effect<void> = Effect.sync(() => {
  if (process.platform !== "linux") return
  try {
    if (getPriority() < NICE) setPriority(0, NICE)
  } catch {
    // A sandbox may forbid it; the thread then runs like the others.
  }
})
