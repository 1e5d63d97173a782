import { BunFileSystem } from "@effect/platform-bun"
import { Layer } from "effect"
import * as Application from "../../src/Application.ts"
import { Embedder } from "../../src/enrich/embedding/Embedder.ts"
import { Categorizer } from "../../src/enrich/model/Categorizer.ts"
import { LanguageModel } from "../../src/enrich/model/LanguageModel.ts"
import { publicSearch } from "../../src/search/PublicSearch.ts"
import { readerLayer } from "../../src/search/Reader.ts"
import * as Database from "../../src/store/Database.ts"
import { ImportReader } from "../../src/transfer/ImportReader.ts"

/** What needs no world outside: the built-in embedder, the readers in this thread, no model. */
export const withoutWorld = Layer.mergeAll(
  Embedder.builtIn,
  readerLayer,
  publicSearch,
  Layer.provide(ImportReader.layer, BunFileSystem.layer),
  Layer.provide(Categorizer.layer, LanguageModel.layer)
)

/** Every store over one real database; `:memory:` where no file is named. */
export const stores = (filename = ":memory:") =>
  Layer.provideMerge(Layer.merge(Application.stores, withoutWorld), Database.layer(filename))
