import { existsSync } from "node:fs"
import { Effect, Option } from "effect"
import { Setting } from "../config/Configuration.ts"
import { Embedder } from "../enrich/embedding/Embedder.ts"
import { canRun } from "../enrich/embedding/encoder/Layers.ts"
import { threadOf } from "../runtime/Thread.ts"
import { dataFolder } from "../store/DataFolder.ts"

export const ownEmbedder = Embedder.layerWith(
  Effect.map(Setting.dataDir.config, (folder) =>
    Option.map(
      Option.liftPredicate(dataFolder(folder).encoder, (file) => existsSync(file) && canRun()),
      (file) => threadOf("encoder", file)
    )
  )
)
