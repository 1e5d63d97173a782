import { Layer } from "effect"
import { and, none } from "../runtime/Services.ts"
import { BackfillPages } from "./BackfillPages.ts"
import { Books } from "./Books.ts"
import { CaptureLink } from "./CaptureLink.ts"
import { ChatChanges } from "./ChatChanges.ts"
import { ChatClaims } from "./ChatClaims.ts"
import { ChatDelivery } from "./ChatDelivery.ts"
import { ChatMemory } from "./ChatMemory.ts"
import { Duplicates } from "./Duplicates.ts"
import { EditCollections } from "./EditCollections.ts"
import { EditLinks } from "./EditLinks.ts"
import { EditNames } from "./EditNames.ts"
import { Embeddings } from "./Embeddings.ts"
import { EReaders } from "./EReaders.ts"
import { Events } from "./Events.ts"
import { Filing } from "./Filing.ts"
import { Highlights } from "./Highlights.ts"
import { Housekeeping } from "./Housekeeping.ts"
import { Inbox } from "./Inbox.ts"
import { Jobs } from "./Jobs.ts"
import { KeepPages } from "./KeepPages.ts"
import { LargeChanges } from "./LargeChanges.ts"
import { LikelyTags } from "./LikelyTags.ts"
import { LinkQueries } from "./LinkQueries.ts"
import { Organize } from "./Organize.ts"
import { PagePictures } from "./PagePictures.ts"
import { PublicEmbeddings } from "./PublicEmbeddings.ts"
import { ReadPages } from "./ReadPages.ts"
import { Recategorize } from "./Recategorize.ts"
import { Refresh } from "./Refresh.ts"
import { Reindex } from "./Reindex.ts"
import { ReplyQueue } from "./ReplyQueue.ts"
import { ResultLists } from "./ResultLists.ts"
import { RetryLinks } from "./RetryLinks.ts"
import { SavedSearches } from "./SavedSearches.ts"
import { EnrichLink, SaveLink } from "./SaveLink.ts"
import { SaveMessage } from "./SaveMessage.ts"
import { SearchLinks } from "./SearchLinks.ts"
import { SharePages } from "./SharePages.ts"
import { SimilarNames } from "./SimilarNames.ts"
import { Snapshots } from "./Snapshots.ts"
import { Outages, SourceHealth } from "./SourceHealth.ts"
import { Summaries } from "./Summaries.ts"
import { Tasks } from "./Tasks.ts"
import { UndoAuthor } from "./UndoAuthor.ts"
import { WeeklyHighlights } from "./WeeklyHighlights.ts"

/** The services that save, keep, find and organize links. Files, pictures and checks of pages are beside them. */
export const services = Layer.scopedContext(
  none
    .pipe(
      and(PagePictures, PagePictures.make),
      and(Events, Events.make),
      and(Tasks, Tasks.make),
      and(SourceHealth, SourceHealth.make),
      and(Summaries, Summaries.make),
      and(Embeddings, Embeddings.make),
      and(Highlights, Highlights.make),
      and(Jobs, Jobs.make),
      and(LargeChanges, LargeChanges.make),
      and(KeepPages, KeepPages.make),
      and(Filing, Filing.make),
      and(Snapshots, Snapshots.make),
      and(EnrichLink, EnrichLink.make),
      and(Inbox, Inbox.make),
      and(EditLinks, EditLinks.make),
      and(SaveLink, SaveLink.make)
    )
    .pipe(
      and(Refresh, Refresh.make),
      and(ChatChanges, ChatChanges.make),
      and(ChatMemory, ChatMemory.make),
      and(LikelyTags, LikelyTags.make),
      and(SimilarNames, SimilarNames.make),
      and(ReadPages, ReadPages.make),
      and(ReplyQueue, ReplyQueue.make),
      and(SearchLinks, SearchLinks.make),
      and(LinkQueries, LinkQueries.make),
      and(CaptureLink, CaptureLink.make),
      and(ChatClaims, ChatClaims.make),
      and(ChatDelivery, ChatDelivery.make),
      and(RetryLinks, RetryLinks.make),
      and(EditCollections, EditCollections.make),
      and(EditNames, EditNames.make)
    )
    .pipe(
      and(Books, Books.make),
      and(EReaders, EReaders.make),
      and(SharePages, SharePages.make),
      and(Duplicates, Duplicates.make),
      and(Housekeeping, Housekeeping.make),
      and(BackfillPages, BackfillPages.make),
      and(Organize, Organize.make),
      and(Outages, Outages.make),
      and(PublicEmbeddings, PublicEmbeddings.make),
      and(Recategorize, Recategorize.make),
      and(Reindex, Reindex.make),
      and(ResultLists, ResultLists.make),
      and(SavedSearches, SavedSearches.make),
      and(UndoAuthor, UndoAuthor.make),
      and(SaveMessage, SaveMessage.make),
      and(WeeklyHighlights, WeeklyHighlights.make)
    )
)
