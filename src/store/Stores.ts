import { Layer } from "effect"
import { and, none } from "../runtime/Services.ts"
import { ClaimStore } from "./chat/ClaimStore.ts"
import { ChatListStore, MessageStore, PromptStore } from "./chat/MessageStore.ts"
import { OffsetStore } from "./chat/OffsetStore.ts"
import { OutageStore } from "./chat/OutageStore.ts"
import { OutboxStore } from "./chat/OutboxStore.ts"
import { ToldChanges } from "./chat/ToldChanges.ts"
import { JobMessageStore, JobStore } from "./jobs/JobStore.ts"
import { CrashSuspects, TaskStore } from "./jobs/TaskStore.ts"
import { ChangeStore } from "./links/ChangeStore.ts"
import { CheckStore } from "./links/CheckStore.ts"
import { FacetStore, FilingStore } from "./links/CollectionStore.ts"
import { CollectionTree } from "./links/CollectionTree.ts"
import { ImageStore } from "./links/ImageStore.ts"
import { LinkList } from "./links/LinkList.ts"
import { LinkStore } from "./links/LinkStore.ts"
import { MergeStore } from "./links/MergeStore.ts"
import { NameStore } from "./links/NameStore.ts"
import { PageKeyStore } from "./links/PageKeyStore.ts"
import { SearchStore } from "./links/SearchStore.ts"
import { TrashList } from "./links/TrashList.ts"
import { TrashStore } from "./links/TrashStore.ts"
import { Erasure } from "./maintenance/Erasure.ts"
import { HighlightStore } from "./pages/HighlightStore.ts"
import { PagePictureStore } from "./pages/PagePictureStore.ts"
import { PageStore } from "./pages/PageStore.ts"
import { PositionStore } from "./pages/PositionStore.ts"
import { ShareStore } from "./pages/ShareStore.ts"
import { SnapshotStore } from "./pages/SnapshotStore.ts"
import { PublicPages } from "./public/PublicPages.ts"
import { PublicVectors } from "./public/PublicVectors.ts"
import { CodeStore } from "./signin/CodeStore.ts"
import { CredentialStore } from "./signin/CredentialStore.ts"
import { EReaderStore } from "./signin/EReaderStore.ts"
import { GrantStore } from "./signin/GrantStore.ts"
import { SessionStore } from "./signin/SessionStore.ts"
import { TokenStore } from "./signin/TokenStore.ts"
import { ExportStore } from "./transfer/ExportStore.ts"
import { FileStore } from "./transfer/FileStore.ts"
import { HeldImportStore } from "./transfer/HeldImportStore.ts"
import { ImportStore } from "./transfer/ImportStore.ts"
import { VectorStore } from "./vectors/VectorStore.ts"

/** The repositories but for the inbox, which is also made with other sizes of a batch. */
export const stores = Layer.scopedContext(
  none
    .pipe(
      and(ChangeStore, ChangeStore.make),
      and(PageStore, PageStore.make),
      and(TaskStore, TaskStore.make),
      and(CheckStore, CheckStore.make),
      and(ChatListStore, ChatListStore.make),
      and(ClaimStore, ClaimStore.make),
      and(CollectionTree, CollectionTree.make),
      and(Erasure, Erasure.make),
      and(ExportStore, ExportStore.make),
      and(FileStore, FileStore.make),
      and(FacetStore, FacetStore.make),
      and(FilingStore, FilingStore.make),
      and(ImageStore, ImageStore.make),
      and(HeldImportStore, HeldImportStore.make),
      and(HighlightStore, HighlightStore.make),
      and(ImportStore, ImportStore.make)
    )
    .pipe(
      and(JobMessageStore, JobMessageStore.make),
      and(JobStore, JobStore.make),
      and(LinkList, LinkList.make),
      and(LinkStore, LinkStore.make),
      and(MergeStore, MergeStore.make),
      and(PageKeyStore, PageKeyStore.make),
      and(PagePictureStore, PagePictureStore.make),
      and(MessageStore, MessageStore.make),
      and(ToldChanges, ToldChanges.make),
      and(NameStore, NameStore.make),
      and(OffsetStore, OffsetStore.make),
      and(OutageStore, OutageStore.make),
      and(OutboxStore, OutboxStore.make),
      and(PromptStore, PromptStore.make),
      and(PublicPages, PublicPages.make),
      and(PublicVectors, PublicVectors.make)
    )
    .pipe(
      and(SearchStore, SearchStore.make),
      and(CodeStore, CodeStore.make),
      and(CredentialStore, CredentialStore.make),
      and(EReaderStore, EReaderStore.make),
      and(GrantStore, GrantStore.make),
      and(PositionStore, PositionStore.make),
      and(SessionStore, SessionStore.make),
      and(ShareStore, ShareStore.make),
      and(SnapshotStore, SnapshotStore.make),
      and(TokenStore, TokenStore.make),
      and(CrashSuspects, CrashSuspects.make),
      and(TrashList, TrashList.make),
      and(TrashStore, TrashStore.make),
      and(VectorStore, VectorStore.make)
    )
)
