import { Effect, Layer } from "effect"
import { Bot } from "./bot/Bot.ts"
import { warnIfClosed } from "./bot/ChatGate.ts"
import { JobReports } from "./bot/JobReports.ts"
import { Outbox } from "./bot/Outbox.ts"
import { CaptureLink } from "./library/CaptureLink.ts"
import { Inbox } from "./library/Inbox.ts"
import { LinkImages } from "./library/LinkImages.ts"
import { Reindex } from "./library/Reindex.ts"
import { RetryLinks } from "./library/RetryLinks.ts"

/** The work that goes on by itself: arrivals, replies, another look at links whose sources failed, and the removal of pictures. */
export const layer = Layer.scopedDiscard(
  Effect.gen(function* () {
    const inbox = yield* Inbox
    const bot = yield* Bot
    const captures = yield* CaptureLink
    const outbox = yield* Outbox
    const reports = yield* JobReports
    const retries = yield* RetryLinks
    const reindex = yield* Reindex
    const images = yield* LinkImages
    yield* warnIfClosed
    yield* Effect.forkScoped(inbox.drain({ chat: bot.work, capture: captures.work }))
    yield* Effect.forkScoped(outbox.deliver)
    yield* Effect.forkScoped(reports.run)
    yield* Effect.forkScoped(retries.run)
    yield* Effect.forkScoped(reindex.run)
    yield* Effect.forkScoped(images.run)
  })
)
