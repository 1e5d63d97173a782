import { Effect, FiberSet, Layer } from "effect"
import { Health } from "./domain/Health.ts"
import { ArchiveLinks } from "./library/ArchiveLinks.ts"
import { Books } from "./library/Books.ts"
import { CaptureLink } from "./library/CaptureLink.ts"
import { ChatChanges } from "./library/ChatChanges.ts"
import { ChatClaims } from "./library/ChatClaims.ts"
import { ChatDelivery } from "./library/ChatDelivery.ts"
import { ChatMemory } from "./library/ChatMemory.ts"
import { CheckLinks } from "./library/CheckLinks.ts"
import { Duplicates } from "./library/Duplicates.ts"
import { EditCollections } from "./library/EditCollections.ts"
import { EditLinks } from "./library/EditLinks.ts"
import { EditNames } from "./library/EditNames.ts"
import { Embeddings } from "./library/Embeddings.ts"
import { EReaders } from "./library/EReaders.ts"
import { Events } from "./library/Events.ts"
import { ExportLinks } from "./library/ExportLinks.ts"
import { FetchPictures } from "./library/FetchPictures.ts"
import { Filing } from "./library/Filing.ts"
import { HeldImports } from "./library/HeldImports.ts"
import { Highlights } from "./library/Highlights.ts"
import { Housekeeping } from "./library/Housekeeping.ts"
import { ImportLinks } from "./library/ImportLinks.ts"
import { ImportWriter } from "./library/ImportWriter.ts"
import { Inbox } from "./library/Inbox.ts"
import { Jobs } from "./library/Jobs.ts"
import { KeepMissing } from "./library/KeepMissing.ts"
import { KeepPages } from "./library/KeepPages.ts"
import { LargeChanges } from "./library/LargeChanges.ts"
import { LikelyTags } from "./library/LikelyTags.ts"
import { LinkDetails } from "./library/LinkDetails.ts"
import { LinkImages } from "./library/LinkImages.ts"
import { MakeFiles } from "./library/MakeFiles.ts"
import { NearTwins } from "./library/NearTwins.ts"
import { Organize } from "./library/Organize.ts"
import { OutgoingFiles } from "./library/OutgoingFiles.ts"
import { PagePictures } from "./library/PagePictures.ts"
import { PublicEmbeddings } from "./library/PublicEmbeddings.ts"
import { ReadPages } from "./library/ReadPages.ts"
import { Recategorize } from "./library/Recategorize.ts"
import { Refresh } from "./library/Refresh.ts"
import { Reindex } from "./library/Reindex.ts"
import { ReplyQueue } from "./library/ReplyQueue.ts"
import { ResultLists } from "./library/ResultLists.ts"
import { RetryLinks } from "./library/RetryLinks.ts"
import { SavedSearches } from "./library/SavedSearches.ts"
import { DescribeLink, SaveLink } from "./library/SaveLink.ts"
import { SaveMessage } from "./library/SaveMessage.ts"
import { SearchLinks } from "./library/SearchLinks.ts"
import { Snapshots } from "./library/Snapshots.ts"
import { Outages, SourceHealth } from "./library/SourceHealth.ts"
import { Summaries } from "./library/Summaries.ts"
import { ViewLinks } from "./library/ViewLinks.ts"
import { WeeklyHighlights } from "./library/WeeklyHighlights.ts"
import { Background } from "./runtime/Background.ts"
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

/** The library's services, on top of the stores. */
export const library = Layer.mergeAll(
  CaptureLink.layer,
  ChatClaims.layer,
  ChatDelivery.layer,
  RetryLinks.layer,
  EditCollections.layer,
  EditNames.layer,
  Books.layer,
  EReaders.layer,
  Duplicates.layer,
  Housekeeping.layer,
  KeepMissing.layer,
  LinkDetails.layer,
  Organize.layer,
  Outages.layer,
  PublicEmbeddings.layer,
  Recategorize.layer,
  Reindex.layer,
  ResultLists.layer,
  SavedSearches.layer,
  SaveMessage.layer,
  WeeklyHighlights.layer
).pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      ChatChanges.layer,
      ChatMemory.layer,
      LikelyTags.layer,
      NearTwins.layer,
      ReadPages.layer,
      ReplyQueue.layer,
      SearchLinks.layer,
      ViewLinks.layer
    )
  ),
  Layer.provideMerge(Layer.mergeAll(EditLinks.layer, SaveLink.layer, Refresh.layer)),
  Layer.provideMerge(Inbox.layer),
  Layer.provideMerge(DescribeLink.layer),
  Layer.provideMerge(Layer.merge(Filing.layer, Snapshots.layer)),
  Layer.provideMerge(KeepPages.layer),
  Layer.provideMerge(Layer.mergeAll(Embeddings.layer, Highlights.layer, Jobs.layer, LargeChanges.layer)),
  Layer.provideMerge(
    Layer.mergeAll(
      Background.layer,
      Events.layer,
      Health.layer,
      PagePictures.layer,
      SourceHealth.layer,
      Summaries.layer
    )
  )
)

const bot = Layer.merge(Bot.layer, ReceiveUpdate.layer).pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      CardUpdates.layer,
      ChatGreeting.layer,
      HighlightMessages.layer,
      InlineSearch.layer,
      JobReports.layer,
      OutageReports.layer,
      SignInQuestions.layer
    )
  ),
  Layer.provideMerge(Outbox.layer)
)

/** Import and export of link files. */
export const files = Layer.merge(HeldImports.layer, MakeFiles.layer).pipe(
  Layer.provideMerge(ImportLinks.layer),
  Layer.provideMerge(Layer.mergeAll(ExportLinks.layer, ImportWriter.layer, OutgoingFiles.layer))
)

const images = Layer.merge(LinkImages.layer.pipe(Layer.provide(ImageFiles.layer)), FetchPictures.layer)

/** What the outside says about the pages of links that are saved already. */
const checks = Layer.merge(ArchiveLinks.layer, CheckLinks.layer)

/** All stores, on one database. */
export const stores = Layer.merge(repositories, InboxStore.layer)

/** The application with the given inbox store, so that benchmarks can compare batch sizes. */
export const applicationWithInbox = (inbox: typeof InboxStore.layer) =>
  Layer.mergeAll(bot, images, checks).pipe(
    Layer.provideMerge(files),
    Layer.provideMerge(library),
    Layer.provideMerge(Layer.merge(repositories, inbox))
  )

/**
 * The service without its environment: it still needs a database, a disk, the readers of the library and of import
 * files, the enricher, the embedder, picture fetching, the chat and the gateway's keys.
 */
export const application = applicationWithInbox(InboxStore.layer)

/**
 * Background work: drains the inbox, delivers replies, reports on jobs and outages, completes cards, greets the owner,
 * updates the bot's profile, resumes interrupted imports, drops old files of the chat, reads pages, retries links whose
 * sources failed, embeds links, fetches and removes pictures, looks at the pages of links, submits new links to the web archive, and runs housekeeping.
 */
export const layer = Layer.scopedDiscard(
  Effect.gen(function* () {
    const background = yield* Background
    const inbox = yield* Inbox
    const bot = yield* Bot
    const captures = yield* CaptureLink
    const outbox = yield* Outbox
    const profile = yield* Profile
    const reports = yield* JobReports
    const outages = yield* OutageReports
    const cards = yield* CardUpdates
    const greeting = yield* ChatGreeting
    const highlights = yield* HighlightMessages
    const retries = yield* RetryLinks
    const reindex = yield* Reindex
    const images = yield* LinkImages
    const pictures = yield* FetchPictures
    const imports = yield* ImportLinks
    const held = yield* HeldImports
    const outgoing = yield* OutgoingFiles
    const pages = yield* ReadPages
    const shared = yield* PublicEmbeddings
    const housekeeping = yield* Housekeeping
    const checks = yield* CheckLinks
    const archive = yield* ArchiveLinks
    // Finalizers run in reverse order: first the loops below end, then this waits for the work in hand, and only then do
    // the services close that this work uses.
    yield* Effect.addFinalizer(() => background.settled)
    // All loops are interrupted at once: one after the other, each would wait for a turn among the work in hand.
    const start = FiberSet.run(yield* FiberSet.make<unknown>())
    yield* start((yield* PassedTime).run)
    yield* start(inbox.drain({ chat: bot.work, capture: captures.work }))
    yield* start(outbox.deliver)
    yield* start(profile.run(botCommands))
    yield* start(reports.run)
    yield* start(retries.run)
    yield* start(outages.run)
    yield* start(cards.run)
    yield* start(greeting.run)
    yield* start(highlights.run)
    yield* start(reindex.run)
    yield* start(images.run)
    yield* start(pictures.run)
    yield* start(imports.resume)
    yield* start(held.expire)
    yield* start(outgoing.sweep)
    yield* start(pages.run)
    yield* start(shared.run)
    yield* start(housekeeping.run)
    yield* start(checks.run)
    yield* start(archive.run)
  })
)
