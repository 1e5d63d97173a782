import { createHash } from "node:crypto"
import { Context, Deferred, type Duration, Effect, FiberId, Layer, Option, Schema } from "effect"
import { Capture, type CaptureAnswer, KeyReused } from "../domain/Capture.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { parseWebUrl } from "../domain/WebUrl.ts"
import { normalizeUrl } from "../shared/UrlIdentity.ts"
import { InboxStore } from "../store/inbox/InboxStore.ts"
import { Transaction } from "../store/Transaction.ts"
import { Measure } from "../telemetry/Metrics.ts"
import { type Handler, Inbox, UnreadableArrival } from "./Inbox.ts"
import { type Saved, SaveLink } from "./SaveLink.ts"

const decode = Schema.decode(Schema.parseJson(Capture))

/** Distinguishes captures under one key without storing their content. */
const digestOf = (key: string, payload: string) =>
  createHash("sha256").update(`${key}\0${payload}`).digest("base64url")

/**
 * Captures by the extension: stores them, then saves them, then answers without revealing anything about the library.
 */
export class CaptureLink extends Context.Tag("CaptureLink")<
  CaptureLink,
  {
    /**
     * Stores the capture and waits at most `wait` for its save.
     *
     * Repeated deliveries with the same `key` count as one capture and get the answer of the first; a different capture
     * with the same key fails with `KeyReused`. `url` is the parsed `capture.url`.
     */
    readonly submit: (
      capture: Capture,
      url: URL,
      key: string,
      wait: Duration.Duration
    ) => Effect.Effect<CaptureAnswer, StoreUnavailable | KeyReused>
    /** Saves a stored capture. */
    readonly work: Handler
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const inbox = yield* Inbox
      const store = yield* InboxStore
      const saveLink = yield* SaveLink
      const transaction = yield* Transaction
      // Titles that requests wait for, by the capture's key. Kept in memory only: no request survives a restart.
      const waiting = new Map<string, { readonly title: Deferred.Deferred<string>; requests: number }>()

      /** Returns the title a capture waits for, shared by repeated deliveries. */
      const awaited = (key: string) =>
        Effect.acquireRelease(
          Effect.sync(() => {
            const known = waiting.get(key) ?? {
              title: Deferred.unsafeMake<string>(FiberId.none),
              requests: 0
            }
            known.requests++
            waiting.set(key, known)
            return known
          }),
          (known) =>
            Effect.sync(() => {
              known.requests--
              if (known.requests === 0) waiting.delete(key)
            })
        )

      return {
        submit: Effect.fn("CaptureLink.submit")(function* (capture, url, key, wait) {
          const { title } = yield* awaited(key)
          const payload = JSON.stringify(capture)
          const kept = yield* inbox.enqueue({
            source: "capture",
            key,
            payload,
            digest: digestOf(key, payload)
          })
          if (kept.isReused) return yield* new KeyReused()
          const before = kept.repeated ? yield* store.answerOf(kept.id) : Option.none<string>()
          const waited = kept.isDone ? Effect.succeedNone : Effect.timeoutOption(Deferred.await(title), wait)
          const found = Option.isSome(before) ? before : yield* waited
          yield* Measure.captures.count(Option.isSome(found) ? "saved" : "accepted")
          const answer: CaptureAnswer = { status: "accepted", url: normalizeUrl(url) }
          return Option.match(found, {
            onNone: () => answer,
            onSome: (title): CaptureAnswer => ({ ...answer, status: "saved", title })
          })
        }, Effect.scoped),
        work: Effect.fn("CaptureLink.work")(function* ({ id, key, payload }, isSpared) {
          const capture = yield* Effect.mapError(decode(payload), () => new UnreadableArrival({ id }))
          const url = yield* Effect.mapError(parseWebUrl(capture.url), () => new UnreadableArrival({ id }))
          const titleOf = ({ found }: Saved) =>
            Option.match(found, { onNone: () => url.hostname, onSome: ({ page }) => page.title })
          const note = capture.note?.trim() ?? ""
          const claims = yield* saveLink.claim(
            [{ given: capture.url.trim(), url, note, tags: [], hints: capture }],
            { id, first: 0 }
          )
          const drafts = yield* saveLink.describe(claims, { reEnrich: true, isSpared })
          const saved = yield* transaction(
            Effect.gen(function* () {
              const [saved] = yield* saveLink.finish(drafts, "capture")
              if (saved !== undefined) yield* store.answered(id, saved.link.id, titleOf(saved))
              yield* store.done(id)
              return saved
            })
          )
          const listener = waiting.get(key)
          if (listener !== undefined && saved !== undefined)
            yield* Deferred.succeed(listener.title, titleOf(saved))
        })
      }
    })
  )
}
