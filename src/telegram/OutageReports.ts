import { Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import type { Source } from "../domain/Enrichment.ts"
import { SourceHealth } from "../library/SourceHealth.ts"
import { count } from "../shared/Format.ts"
import { type Outage, OutageStore } from "../store/chat/OutageStore.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import { Transaction } from "../store/Transaction.ts"
import { type Html, lines, text } from "./Content.ts"
import { Outbox } from "./Outbox.ts"
import { allowedChat } from "./Update.ts"

const INTERVAL = Duration.minutes(5)
/** Minimum duration of a reported outage. */
const REPORTED_AFTER = Duration.minutes(10)

const names: Record<Source, string> = {
  page: "web pages",
  repository: "repository hosts",
  model: "the language model"
}
const listed = new Intl.ListFormat("en")
const dated = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" })

const droppedLine = ({ dropped, sources }: Outage) =>
  dropped === 0
    ? []
    : [
        text(
          `${count(dropped, "reply", "replies")} could not be delivered. ${sources.length === 0 ? "The links are saved." : ""}`.trim()
        )
      ]

/** Reports an ongoing outage and its cost: incomplete links and dropped replies. */
const outageMessage = (outage: Outage): Html =>
  lines([
    ...(outage.sources.length === 0
      ? []
      : [
          text(
            `⚠️ No answer from ${listed.format(outage.sources.map((source) => names[source]))} since ${dated.format(new Date(outage.since))} UTC. Incomplete so far: ${count(outage.links, "link")}. I’ll complete them when it works again.`
          )
        ]),
    ...droppedLine(outage)
  ])

/** Reports that all work delayed by an outage is done; `incomplete` links remain for other reasons. */
const recoveryMessage = (outage: Outage, incomplete: number): Html =>
  lines([
    text(
      `✅ Working again: ${listed.format(outage.sources.map((source) => names[source]))}. I have tried ${count(outage.links, "incomplete link")} again.`
    ),
    ...(incomplete === 0
      ? []
      : [text(`${count(incomplete, "link is", "links are")} still incomplete: /retry tries again.`)])
  ])

/** Reports each outage that delayed links or dropped replies to the owner: once when it lasts, once when it is over. */
export class OutageReports extends Context.Tag("OutageReports")<
  OutageReports,
  {
    /** Checks once and sends the reports that are due. */
    readonly check: Effect.Effect<void>
    /** Runs continuously. */
    readonly run: Effect.Effect<never>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* OutageStore
      const links = yield* LinkStore
      const health = yield* SourceHealth
      const outbox = yield* Outbox
      const transaction = yield* Transaction

      const enqueue = (html: Html) =>
        Effect.flatMap(allowedChat, (chat) =>
          Option.match(chat, {
            onNone: () => Effect.void,
            onSome: (chatId) => outbox.add({ chatId, html: html.html, replyTo: null }, [])
          })
        )

      const reportOutage = Effect.fnUntraced(function* (outage: Outage) {
        yield* transaction(Effect.zipRight(enqueue(outageMessage(outage)), store.told))
        // Dropped replies are not recovered, so the outage ends with its report.
        if (outage.sources.length === 0) yield* store.end
      })

      const reportRecovery = (outage: Outage, incomplete: number) =>
        transaction(
          Effect.zipRight(
            outage.toldAt === null ? Effect.void : enqueue(recoveryMessage(outage, incomplete)),
            store.end
          )
        )

      const check = Effect.gen(function* () {
        const failing = yield* health.failing
        const waiting = failing.length === 0 ? 0 : yield* links.waitingFor(failing)
        if (waiting > 0) yield* store.cost(failing, waiting)
        const outage = Option.getOrUndefined(yield* store.current)
        if (outage === undefined) return
        const lasted = DateTime.distanceDuration(DateTime.unsafeMake(outage.since), yield* DateTime.now)
        // Dropped replies can only be reported once the chat is reachable again.
        const isReportable =
          outage.sources.length === 0
            ? yield* outbox.isDelivering
            : Duration.greaterThanOrEqualTo(lasted, REPORTED_AFTER)
        if (outage.toldAt === null && isReportable) return yield* reportOutage(outage)
        if (outage.sources.length === 0) return
        const answering = yield* health.answering
        const isOver = outage.sources.every((source) => answering.includes(source))
        if (isOver && !(yield* links.hasDue) && (yield* links.waitingFor(outage.sources)) === 0)
          yield* reportRecovery(outage, yield* links.countPartial)
      }).pipe(
        Effect.catchAllCause((cause) => Effect.logWarning("reporting outages failed", cause)),
        Effect.withSpan("OutageReports.check")
      )
      return { check, run: Effect.forever(Effect.zipRight(check, Effect.sleep(INTERVAL))) }
    })
  )
}
