import { Context, Deferred, type Duration, Effect, Layer, Option, Schema } from "effect"
import { Capture, type CaptureAnswer } from "../domain/Capture.ts"
import { Measure } from "../domain/Metrics.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { normalizeUrl, parseWebUrl } from "../domain/WebUrl.ts"
import { InboxStore } from "../store/InboxStore.ts"
import { type Handler, Inbox } from "./Inbox.ts"
import { SaveLink } from "./SaveLink.ts"

/** Captures by the extension: kept first, then saved, then answered without a word about the library. */
export class CaptureLink extends Context.Tag("CaptureLink")<
  CaptureLink,
  {
    /**
     * Keeps the capture and waits at most `wait` for its save.
     *
     * `key` makes a repeated delivery one capture. `url` is the parsed `capture.url`.
     */
    readonly submit: (
      capture: Capture,
      url: URL,
      key: string,
      wait: Duration.Duration
    ) => Effect.Effect<CaptureAnswer, StoreUnavailable>
    /** Saves a kept capture. */
    readonly work: Handler
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const inbox = yield* Inbox
      const store = yield* InboxStore
      const saveLink = yield* SaveLink
      // Who waits for a capture's title, by the capture's key. In memory alone: after a restart nobody waits.
      const waiting = new Map<string, Deferred.Deferred<string>>()

      return {
        submit: Effect.fn("CaptureLink.submit")(function* (capture, url, key, wait) {
          const title = yield* Deferred.make<string>()
          // A second delivery must not take the place of the first, which may still be waiting.
          if (!waiting.has(key)) waiting.set(key, title)
          const answer: CaptureAnswer = { status: "accepted", url: normalizeUrl(url) }
          return yield* inbox.keep({ source: "capture", key, payload: JSON.stringify(capture) }).pipe(
            Effect.flatMap(({ repeated }) =>
              repeated ? Effect.succeedNone : Effect.timeoutOption(Deferred.await(title), wait)
            ),
            Effect.tap((found) => Measure.captures.count(Option.isSome(found) ? "saved" : "accepted")),
            Effect.map(
              Option.match({
                onNone: () => answer,
                onSome: (found): CaptureAnswer => ({ ...answer, status: "saved", title: found })
              })
            ),
            Effect.ensuring(
              Effect.sync(() => {
                if (waiting.get(key) === title) waiting.delete(key)
              })
            )
          )
        }),
        work: Effect.fn("CaptureLink.work")(function* ({ id, key, payload }, isSpared) {
          const capture = yield* Effect.orDie(Schema.decode(Schema.parseJson(Capture))(payload))
          const url = yield* Effect.orDie(parseWebUrl(capture.url))
          const [saved] = yield* saveLink.save(
            [{ given: capture.url.trim(), url, note: capture.note?.trim() ?? "", tags: [], hints: capture }],
            {
              source: "capture",
              again: true,
              arrival: { id, first: 0 },
              isSpared,
              claimed: () => Effect.void,
              settle: () => store.done(id)
            }
          )
          const listener = waiting.get(key)
          if (listener === undefined || saved === undefined) return
          const title = Option.match(saved.found, {
            onNone: () => url.hostname,
            onSome: ({ page }) => page.title
          })
          yield* Deferred.succeed(listener, title)
        })
      }
    })
  )
}
