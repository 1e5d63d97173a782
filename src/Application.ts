import { Layer } from "effect"
import { Background } from "./Background.ts"
import { Bot } from "./bot/Bot.ts"
import { Outbox } from "./bot/Outbox.ts"
import { CaptureLink } from "./library/CaptureLink.ts"
import { EditLinks } from "./library/EditLinks.ts"
import { Inbox } from "./library/Inbox.ts"
import { MergeLinks } from "./library/MergeLinks.ts"
import { Refresh } from "./library/Refresh.ts"
import { RetryLinks } from "./library/RetryLinks.ts"
import { SaveLink } from "./library/SaveLink.ts"
import { ChangeStore } from "./store/ChangeStore.ts"
import { FacetStore } from "./store/FacetStore.ts"
import { InboxStore } from "./store/InboxStore.ts"
import { JobStore } from "./store/JobStore.ts"
import { LinkList } from "./store/LinkList.ts"
import { LinkStore } from "./store/LinkStore.ts"
import { MergeStore } from "./store/MergeStore.ts"
import { MessageStore } from "./store/MessageStore.ts"
import { OutboxStore } from "./store/OutboxStore.ts"

const storesOver = (inbox: typeof InboxStore.layer) =>
  Layer.mergeAll(
    inbox,
    ChangeStore.layer,
    FacetStore.layer,
    JobStore.layer,
    LinkList.layer,
    LinkStore.layer,
    MergeStore.layer,
    MessageStore.layer,
    OutboxStore.layer
  )

const library = Layer.mergeAll(
  CaptureLink.layer,
  RetryLinks.layer,
  EditLinks.layer,
  MergeLinks.layer,
  Inbox.housekeeping
).pipe(
  Layer.provideMerge(Layer.mergeAll(SaveLink.layer, Refresh.layer, Inbox.layer)),
  Layer.provideMerge(Background.layer)
)

const bot = Bot.layer.pipe(Layer.provideMerge(Outbox.layer))

/** Every store, over one database. */
export const stores = storesOver(InboxStore.layer)

/** The application over an inbox of another batch size, for measuring what the batches are worth. */
export const applicationOver = (inbox: typeof InboxStore.layer) =>
  bot.pipe(Layer.provideMerge(library), Layer.provideMerge(storesOver(inbox)))

/** What the service is made of, but for the world outside: a database, the enricher, the chat and the gateway's keys. */
export const application = applicationOver(InboxStore.layer)
