import { HttpApiBuilder } from "@effect/platform"
import { DateTime, Effect } from "effect"
import { Setting } from "../config/Configuration.ts"
import { SettingWriter, targetName } from "../config/SettingWriter.ts"
import { Backups } from "../library/Backups.ts"
import { ExportLinks } from "../library/ExportLinks.ts"
import { Background } from "../runtime/Background.ts"
import { Api } from "./api/Api.ts"
import type { BackupsAnswer } from "./api/BackupsApi.ts"
import { written } from "./SetUpApi.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "backups",
  Effect.fn(function* (handlers) {
    const backups = yield* Backups
    const exports = yield* ExportLinks
    const writer = yield* SettingWriter
    const background = yield* Background

    const state = Effect.gen(function* () {
      const now = yield* backups.state
      const target = yield* writer.target
      const answer: BackupsAnswer = {
        every: now.every,
        keep: now.keep,
        backups: now.backups.map(({ bytes, createdAt, name }) => ({
          name,
          bytes,
          createdAt: DateTime.formatIso(createdAt)
        })),
        state: now.outcome.state,
        error: now.outcome.state === "failed" ? now.outcome.error : null,
        nextAt: now.nextAt === undefined ? null : DateTime.formatIso(now.nextAt),
        writesTo: target.isWritable ? targetName(target) : null,
        export: yield* exports.size
      }
      return answer
    }).pipe(Effect.withSpan("BackupsApi.state"))

    return handlers
      .handle("state", () => state)
      .handle("make", () =>
        Effect.gen(function* () {
          yield* background.run("making a backup", backups.makeOne)
          return { ...(yield* state), state: "running" as const, error: null }
        })
      )
      .handle("set", ({ payload: { every, keep } }) =>
        Effect.gen(function* () {
          yield* written(
            writer.writeAll({
              ...(every === undefined ? {} : { [Setting.backupEvery.name]: every }),
              ...(keep === undefined ? {} : { [Setting.backupKeep.name]: String(keep) })
            })
          )
          yield* backups.wake
          return yield* state
        })
      )
  })
)
