import { Duration, Effect, Option } from "effect"
import type { Source } from "../domain/Enrichment.ts"
import { explanations, Health, type HealthProblem, type Outage } from "../domain/Health.ts"
import { allowedChat } from "../library/ChatClaims.ts"
import { Outages } from "../library/SourceHealth.ts"
import { Service } from "../runtime/Services.ts"
import { every } from "../runtime/WorkLoop.ts"
import { count } from "../shared/Format.ts"
import { Chat } from "./Chat.ts"
import { type Html, lines, text } from "./Content.ts"
import { Outbox } from "./Outbox.ts"

const INTERVAL = Duration.minutes(5)

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

const outageMessage = (outage: Outage): Html =>
  lines([
    ...(outage.sources.length === 0
      ? []
      : [
          text(
            `⚠️ No response from ${listed.format(outage.sources.map((source) => names[source]))} since ${dated.format(new Date(outage.since))} UTC. Incomplete so far: ${count(outage.links, "link")}. I’ll complete them when the outage is over.`
          )
        ]),
    ...droppedLine(outage)
  ])

const recoveryMessage = (outage: Outage, incomplete: number): Html =>
  lines([
    text(
      `✅ Working again: ${listed.format(outage.sources.map((source) => names[source]))}. I retried ${count(outage.links, "incomplete link")}.`
    ),
    ...(incomplete === 0
      ? []
      : [text(`${count(incomplete, "link is", "links are")} still incomplete. Send /retry to retry them.`)])
  ])

const make = Effect.gen(function* () {
  const chat = yield* Chat
  const health = yield* Health
  const outages = yield* Outages
  const outbox = yield* Outbox
  const told = new Set<HealthProblem>()

  const enqueue = (html: Html) =>
    Effect.flatMap(allowedChat, (chat) =>
      Option.match(chat, {
        onNone: () => Effect.void,
        onSome: (chatId) => outbox.add({ chatId, html: html.html, replyTo: null }, [])
      })
    )

  const check = outages
    .check({
      report: (outage) => enqueue(outageMessage(outage)),
      reportEnd: (outage, incomplete) => enqueue(recoveryMessage(outage, incomplete)),
      isReachable: outbox.isDelivering
    })
    .pipe(
      Effect.catchAllCause((cause) => Effect.logWarning("reporting outages failed", cause)),
      Effect.withSpan("OutageReports.check")
    )
  /** Sends without the outbox, which may be in the library that cannot be written. */
  const say = (html: Html) =>
    Effect.flatMap(allowedChat, (chatId) =>
      Option.match(chatId, {
        onNone: () => Effect.void,
        onSome: (id) => chat.send({ chatId: id, html: html.html, replyTo: null })
      })
    )

  const tellProblems = Effect.gen(function* () {
    const notices = yield* health.notices
    for (const [problem, notice] of notices) {
      if (told.has(problem)) continue
      yield* say(text(`⚠️ ${notice}`))
      told.add(problem)
    }
    for (const problem of told) {
      if (notices.has(problem)) continue
      yield* say(text(`✅ Resolved: ${explanations[problem].detail}.`))
      told.delete(problem)
    }
  }).pipe(
    Effect.catchAllCause((cause) => Effect.logWarning("reporting problems failed", cause)),
    Effect.withSpan("OutageReports.tellProblems")
  )
  return {
    run: every(INTERVAL, "reporting outages", Effect.zipRight(tellProblems, check))
  }
})

/** Reports each outage that delayed links or dropped replies, and each problem: once it lasts, and once it is over. */
export class OutageReports extends Service<OutageReports>()("OutageReports", make) {}
