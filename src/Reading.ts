import { Layer } from "effect"
import { DuplicateSearch } from "./search/DuplicateSearch.ts"
import { FilingPlan } from "./search/FilingPlan.ts"
import { Ranking } from "./search/Ranking.ts"
import { Reader } from "./search/Reader.ts"
import { VectorIndex } from "./search/VectorIndex.ts"
import { FilingStore } from "./store/FilingStore.ts"
import { LinkList } from "./store/LinkList.ts"
import { MatchMarks } from "./store/MatchMarks.ts"
import { RankedText } from "./store/RankedText.ts"
import { VectorStore } from "./store/VectorStore.ts"

/** What reads much of the library at once, over one database connection. */
export const reading = Reader.layer.pipe(
  Layer.provide([Ranking.layer, FilingPlan.layer, DuplicateSearch.layer]),
  Layer.provide(VectorIndex.layer),
  Layer.provide([LinkList.layer, MatchMarks.layer, RankedText.layer, FilingStore.layer, VectorStore.layer])
)
