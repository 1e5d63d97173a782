import { Effect, Layer } from "effect"
import { Bot } from "./bot/Bot.ts"
import { botCommands } from "./bot/Commands.ts"
import { JobReports } from "./bot/JobReports.ts"
import { OutageReports } from "./bot/OutageReports.ts"
import { Outbox } from "./bot/Outbox.ts"
import { Profile } from "./bot/Profile.ts"
import { CaptureLink } from "./library/CaptureLink.ts"
import { Housekeeping } from "./library/Housekeeping.ts"
import { ImportLinks } from "./library/ImportLinks.ts"
import { Inbox } from "./library/Inbox.ts"
import { LinkImages } from "./library/LinkImages.ts"
import { PublicEmbeddings } from "./library/PublicEmbeddings.ts"
import { ReadPages } from "./library/ReadPages.ts"
import { Reindex } from "./library/Reindex.ts"
import { RetryLinks } from "./library/RetryLinks.ts"

/**
 * The work that goes on by itself: arrivals, replies, files that were cut off, pages to be read, another look at links
 * whose sources failed, the removal of pictures, and housekeeping.
 */
export const layer = Layer.scopedDiscard(
  Effect.gen(function* () {
    const inbox = yield* Inbox
    const bot = yield* Bot
    const captures = yield* CaptureLink
    const outbox = yield* Outbox
    const profile = yield* Profile
    const reports = yield* JobReports
    const outages = yield* OutageReports
    const retries = yield* RetryLinks
    const reindex = yield* Reindex
    const images = yield* LinkImages
    const imports = yield* ImportLinks
    const pages = yield* ReadPages
    const shared = yield* PublicEmbeddings
    const housekeeping = yield* Housekeeping
    yield* Effect.forkScoped(inbox.drain({ chat: bot.work, capture: captures.work }))
    yield* Effect.forkScoped(outbox.deliver)
    yield* Effect.forkScoped(profile.run(botCommands))
    yield* Effect.forkScoped(reports.run)
    yield* Effect.forkScoped(retries.run)
    yield* Effect.forkScoped(outages.run)
    yield* Effect.forkScoped(reindex.run)
    yield* Effect.forkScoped(images.run)
    yield* Effect.forkScoped(imports.resume)
    yield* Effect.forkScoped(pages.run)
    yield* Effect.forkScoped(shared.run)
    yield* Effect.forkScoped(housekeeping.run)
  })
)
