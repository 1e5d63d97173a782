import { Layer } from "effect"
import * as Application from "../../src/Application.ts"
import * as Database from "../../src/store/Database.ts"

/** Every store over one real database; `:memory:` where no file is named. */
export const stores = (filename = ":memory:") =>
  Layer.provideMerge(Application.stores, Database.layer(filename))
