import { Context, Effect, FiberSet, Layer } from "effect"
import { Health } from "./domain/Health.ts"
import { ArchiveLinks } from "./library/ArchiveLinks.ts"
import { Backups } from "./library/Backups.ts"
import { CaptureLink } from "./library/CaptureLink.ts"
import { CheckLinks } from "./library/CheckLinks.ts"
import { ExportLinks } from "./library/ExportLinks.ts"
import { HeldImports } from "./library/HeldImports.ts"
import { Housekeeping } from "./library/Housekeeping.ts"
import { ImportLinks } from "./library/ImportLinks.ts"
import { ImportWriter } from "./library/ImportWriter.ts"
import { Inbox } from "./library/Inbox.ts"
import { LinkImages } from "./library/LinkImages.ts"
import { MakeFiles, OutgoingFiles } from "./library/OutgoingFiles.ts"
import { FetchPictures } from "./library/PagePictures.ts"
import { PublicEmbeddings } from "./library/PublicEmbeddings.ts"
import { ReadPages } from "./library/ReadPages.ts"
import { Reindex } from "./library/Reindex.ts"
import { RetryLinks } from "./library/RetryLinks.ts"
import { services } from "./library/Services.ts"
import { TestConnections } from "./library/TestConnections.ts"
import { Background } from "./runtime/Background.ts"
import { and, none, withoutServices } from "./runtime/Services.ts"
import { InboxStore } from "./store/inbox/InboxStore.ts"
import { ImageFiles } from "./store/links/ImageStore.ts"
import { PassedTime } from "./store/PassedTime.ts"
import { stores as repositories } from "./store/Stores.ts"
import { Bot } from "./telegram/Bot.ts"
import { CardUpdates } from "./telegram/CardUpdates.ts"
import { ChatGreeting } from "./telegram/ChatGreeting.ts"
import { botCommands } from "./telegram/Commands.ts"
import { HighlightMessages } from "./telegram/HighlightMessages.ts"
import { InlineSearch } from "./telegram/InlineSearch.ts"
import { JobReports } from "./telegram/JobReports.ts"
import { OutageReports } from "./telegram/OutageReports.ts"
import { Outbox } from "./telegram/Outbox.ts"
import { Profile } from "./telegram/Profile.ts"
import { ReceiveUpdate } from "./telegram/ReceiveUpdate.ts"
import { SignInQuestions } from "./telegram/SignInQuestions.ts"

export const library = services.pipe(Layer.provideMerge(Layer.merge(Background.layer, Health.layer)))

export const files = Layer.scopedContext(
  none.pipe(
    and(ExportLinks, ExportLinks.make),
    and(ImportWriter, ImportWriter.make),
    and(OutgoingFiles, OutgoingFiles.make),
    and(ImportLinks, ImportLinks.make),
    and(HeldImports, HeldImports.make),
    and(MakeFiles, MakeFiles.make),
    and(Backups, Backups.make)
  )
)

/** Pictures, the checks of saved pages, and the bot. */
const others = Layer.scopedContext(
  none
    .pipe(
      and(LinkImages, LinkImages.make),
      and(FetchPictures, FetchPictures.make),
      and(ArchiveLinks, ArchiveLinks.make),
      and(CheckLinks, CheckLinks.make),
      and(TestConnections, TestConnections.make)
    )
    .pipe(
      and(Outbox, Outbox.make),
      and(CardUpdates, CardUpdates.make),
      and(ChatGreeting, ChatGreeting.make),
      and(HighlightMessages, HighlightMessages.make),
      and(InlineSearch, InlineSearch.make),
      and(JobReports, JobReports.make),
      and(OutageReports, OutageReports.make),
      and(SignInQuestions, SignInQuestions.make),
      and(Bot, Bot.make),
      and(ReceiveUpdate, ReceiveUpdate.make)
    )
)

export const stores = Layer.merge(repositories, InboxStore.layer)

/** The application with the given inbox store, so that benchmarks can compare batch sizes. */
export const applicationWithInbox = (inbox: typeof InboxStore.layer) =>
  others.pipe(
    Layer.provide(ImageFiles.layer),
    Layer.provideMerge(files),
    Layer.provideMerge(library),
    Layer.provideMerge(Layer.merge(repositories, inbox))
  )

/**
 * The service without its environment: it still needs a database, a disk, the readers of the library and of import
 * files, the enricher, the embedder, picture fetching, the chat and the gateway's keys.
 */
export const application = applicationWithInbox(InboxStore.layer)

/** The services that work behind. Each runs its loop for as long as the service runs. */
const workers = Effect.all([
  ...([PassedTime, Housekeeping, RetryLinks, ReadPages, Reindex, PublicEmbeddings] as const),
  ...([CheckLinks, ArchiveLinks, LinkImages, FetchPictures, HeldImports, Backups] as const),
  ...([Outbox, JobReports, OutageReports, CardUpdates, ChatGreeting, HighlightMessages] as const)
])

const makeWork = Effect.gen(function* () {
  const [bot, capture, imports, inbox] = [yield* Bot, yield* CaptureLink, yield* ImportLinks, yield* Inbox]
  const [outgoing, profile] = [yield* OutgoingFiles, yield* Profile]
  const loops: ReadonlyArray<Effect.Effect<unknown>> = [
    inbox.drain({ chat: bot.work, capture: capture.work }),
    profile.run(botCommands),
    ...(yield* workers).map(({ run }) => run),
    // What an earlier run left.
    imports.resume,
    outgoing.sweep
  ]
  // Finalizers run in reverse order: first the loops below end, then this waits for the work in hand, and only then do
  // the services close that this work uses.
  const { settled } = yield* Background
  yield* Effect.addFinalizer(() => settled)
  // All loops are interrupted at once: one after the other, each would wait for a turn among the work in hand.
  const start = FiberSet.run(yield* FiberSet.make<unknown>())
  return { begin: withoutServices(Effect.forEach(loops, start, { discard: true })) }
})

/** All work behind: its loops run from `begin`, before which nothing takes up what an earlier run left. */
export class Work extends Context.Tag("Work")<Work, Effect.Effect.Success<typeof makeWork>>() {
  static readonly layer = Layer.scoped(this, makeWork)
}
