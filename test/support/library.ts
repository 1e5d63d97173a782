import { Layer } from "effect"
import { ChangeStore } from "../../src/store/ChangeStore.ts"
import * as Database from "../../src/store/Database.ts"
import { FacetStore } from "../../src/store/FacetStore.ts"
import { InboxStore } from "../../src/store/InboxStore.ts"
import { JobStore } from "../../src/store/JobStore.ts"
import { LinkList } from "../../src/store/LinkList.ts"
import { LinkStore } from "../../src/store/LinkStore.ts"
import { MergeStore } from "../../src/store/MergeStore.ts"
import { MessageStore } from "../../src/store/MessageStore.ts"
import { OutboxStore } from "../../src/store/OutboxStore.ts"

/** Every store over one real database; `:memory:` where no file is named. */
export const stores = (filename = ":memory:") =>
  Layer.mergeAll(
    ChangeStore.layer,
    FacetStore.layer,
    InboxStore.layer,
    JobStore.layer,
    LinkList.layer,
    LinkStore.layer,
    MergeStore.layer,
    MessageStore.layer,
    OutboxStore.layer
  ).pipe(Layer.provideMerge(Database.layer(filename)))
