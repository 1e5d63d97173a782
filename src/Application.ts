import { Layer } from "effect"
import { Background } from "./Background.ts"
import { Bot } from "./bot/Bot.ts"
import { JobReports } from "./bot/JobReports.ts"
import { OutageReports } from "./bot/OutageReports.ts"
import { Outbox } from "./bot/Outbox.ts"
import { Health } from "./domain/Health.ts"
import { CaptureLink } from "./library/CaptureLink.ts"
import { DescribeLink } from "./library/DescribeLink.ts"
import { EditLinks } from "./library/EditLinks.ts"
import { Embeddings } from "./library/Embeddings.ts"
import { Events } from "./library/Events.ts"
import { ExportLinks } from "./library/ExportLinks.ts"
import { Filing } from "./library/Filing.ts"
import { FindDuplicates } from "./library/FindDuplicates.ts"
import { Housekeeping } from "./library/Housekeeping.ts"
import { ImportLinks } from "./library/ImportLinks.ts"
import { Inbox } from "./library/Inbox.ts"
import { Jobs } from "./library/Jobs.ts"
import { JobViews } from "./library/JobViews.ts"
import { LargeChanges } from "./library/LargeChanges.ts"
import { LinkImages } from "./library/LinkImages.ts"
import { MergeLinks } from "./library/MergeLinks.ts"
import { Organize } from "./library/Organize.ts"
import { PublicEmbeddings } from "./library/PublicEmbeddings.ts"
import { ReadPages } from "./library/ReadPages.ts"
import { Recategorize } from "./library/Recategorize.ts"
import { Refresh } from "./library/Refresh.ts"
import { Reindex } from "./library/Reindex.ts"
import { RetryLinks } from "./library/RetryLinks.ts"
import { SaveLink } from "./library/SaveLink.ts"
import { SearchLinks } from "./library/SearchLinks.ts"
import { SourceHealth } from "./library/SourceHealth.ts"
import { TakeIn } from "./library/TakeIn.ts"
import { ChangeStore } from "./store/ChangeStore.ts"
import { ChatListStore } from "./store/ChatListStore.ts"
import { Erasure } from "./store/Erasure.ts"
import { ExportStore } from "./store/ExportStore.ts"
import { FacetStore } from "./store/FacetStore.ts"
import { FilingStore } from "./store/FilingStore.ts"
import { ImageFiles } from "./store/ImageFiles.ts"
import { ImageStore } from "./store/ImageStore.ts"
import { ImportStore } from "./store/ImportStore.ts"
import { InboxStore } from "./store/InboxStore.ts"
import { JobMessageStore } from "./store/JobMessageStore.ts"
import { JobStore } from "./store/JobStore.ts"
import { LinkList } from "./store/LinkList.ts"
import { LinkStore } from "./store/LinkStore.ts"
import { MergeStore } from "./store/MergeStore.ts"
import { MessageStore } from "./store/MessageStore.ts"
import { OutageStore } from "./store/OutageStore.ts"
import { OutboxStore } from "./store/OutboxStore.ts"
import { PromptStore } from "./store/PromptStore.ts"
import { PublicVectors } from "./store/public/PublicVectors.ts"
import { RandomLink } from "./store/RandomLink.ts"
import { ReadingQueue } from "./store/ReadingQueue.ts"
import { SparedStore } from "./store/SparedStore.ts"
import { VectorStore } from "./store/VectorStore.ts"

const storesOver = (inbox: typeof InboxStore.layer) =>
  Layer.mergeAll(
    inbox,
    ChangeStore.layer,
    ChatListStore.layer,
    Erasure.layer,
    ExportStore.layer,
    FacetStore.layer,
    FilingStore.layer,
    ImageStore.layer,
    ImportStore.layer,
    JobMessageStore.layer,
    JobStore.layer,
    LinkList.layer,
    LinkStore.layer,
    MergeStore.layer,
    MessageStore.layer,
    OutageStore.layer,
    OutboxStore.layer,
    PromptStore.layer,
    PublicVectors.layer,
    RandomLink.layer,
    ReadingQueue.layer,
    SparedStore.layer,
    VectorStore.layer
  )

/** What the product does, over its stores. */
export const library = Layer.mergeAll(
  CaptureLink.layer,
  RetryLinks.layer,
  EditLinks.layer,
  MergeLinks.layer,
  Inbox.housekeeping,
  FindDuplicates.layer,
  Housekeeping.layer,
  JobViews.layer,
  Organize.layer,
  PublicEmbeddings.layer,
  Recategorize.layer,
  Reindex.layer,
  SearchLinks.layer
).pipe(
  Layer.provideMerge(ReadPages.layer),
  Layer.provideMerge(Layer.mergeAll(SaveLink.layer, Refresh.layer, Inbox.layer)),
  Layer.provideMerge(DescribeLink.layer),
  Layer.provideMerge(Filing.layer),
  Layer.provideMerge(Layer.mergeAll(Embeddings.layer, Jobs.layer, LargeChanges.layer)),
  Layer.provideMerge(Layer.mergeAll(Background.layer, Events.layer, Health.layer, SourceHealth.layer))
)

const bot = Bot.layer.pipe(
  Layer.provideMerge(Layer.merge(JobReports.layer, OutageReports.layer)),
  Layer.provideMerge(Outbox.layer)
)

/** Files of links, in and out. */
export const files = Layer.merge(ImportLinks.layer, ExportLinks.layer).pipe(Layer.provideMerge(TakeIn.layer))

const images = LinkImages.layer.pipe(Layer.provide(ImageFiles.layer))

/** Every store, over one database. */
export const stores = storesOver(InboxStore.layer)

/** The application over an inbox of another batch size, for measuring what the batches are worth. */
export const applicationOver = (inbox: typeof InboxStore.layer) =>
  Layer.mergeAll(bot, files, images).pipe(Layer.provideMerge(library), Layer.provideMerge(storesOver(inbox)))

/**
 * What the service is made of, but for the world outside: a database, a disk, the readers of the library and of files,
 * the enricher, the embedder, pictures, the chat and the gateway's keys.
 */
export const application = applicationOver(InboxStore.layer)
