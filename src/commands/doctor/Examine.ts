import { Effect } from "effect"
import { Setting } from "../../domain/Configuration.ts"
import { dataFolderCheck } from "./DataFolder.ts"
import { embeddings } from "./Embeddings.ts"
import { type Check, type Finding, guarded, off } from "./Finding.ts"
import { gateway } from "./Gateway.ts"
import { gitHub } from "./GitHub.ts"
import { libraryFile } from "./LibraryFile.ts"
import { model } from "./Model.ts"
import { publicAddress } from "./PublicAddress.ts"
import { serverClock } from "./ServerClock.ts"
import { service } from "./Service.ts"
import { settingFiles } from "./SettingFiles.ts"
import { settingSense } from "./SettingSense.ts"
import { settingValues } from "./SettingValues.ts"
import { telegram } from "./Telegram.ts"

const under = <R>(group: string, check: Check<R>) =>
  Effect.map(
    guarded(group, check),
    (lines): ReadonlyArray<Finding> => lines.map((line) => ({ group, ...line }))
  )

const all = <R>(checks: ReadonlyArray<Check<R>>): Check<R> =>
  Effect.map(
    Effect.forEach(checks, (check) => guarded("check", check)),
    (lines) => lines.flat()
  )

const local = Effect.all([
  under("Settings", settingValues),
  under("Files and secrets", all([settingFiles, settingSense])),
  under("Data", all([dataFolderCheck, libraryFile]))
])

const notAsked = Effect.succeed([
  off("probe", "left out, for --offline", "Run it without that to have it looked at.")
])

const outside = <R>(offline: boolean, group: string, check: Check<R>) =>
  under(group, offline ? notAsked : check)

/** Whether the embedder of the settings is a server. */
const isServer = Effect.orElseSucceed(
  Effect.map(Setting.embeddingsUrl.config, (url) => url._tag === "Some"),
  () => true
)

const probes = (offline: boolean) =>
  Effect.gen(function* () {
    const remoteEmbedder = yield* isServer
    return yield* Effect.all(
      [
        under("Service", service),
        outside(offline, "Public address", publicAddress),
        outside(offline, "Telegram", telegram),
        outside(offline, "Access gateway", gateway),
        outside(offline, "Language model", model),
        outside(offline, "GitHub", gitHub),
        outside(offline && remoteEmbedder, "Embeddings", embeddings)
      ],
      { concurrency: "unbounded" }
    )
  })

/**
 * Looks at everything. What is here comes first, for the check of a large database keeps the clock from ticking, by
 * which the servers' time limits go; then all servers at once; and their clocks when they have answered.
 */
export const examine = Effect.fnUntraced(function* (offline: boolean) {
  const here = yield* local
  const there = yield* probes(offline)
  const clock = yield* outside(offline, "Clock", serverClock)
  return [...here, ...there, clock].flat()
})
