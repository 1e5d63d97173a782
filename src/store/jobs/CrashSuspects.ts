import { SqlClient } from "@effect/sql"
import { Clock, Duration, Effect } from "effect"
import { ENDED_AGAIN, ENDED_TWICE } from "../../domain/Enrichment.ts"
import type { LinkId } from "../../domain/Link.ts"
import { Service } from "../../runtime/Services.ts"
import { orDefect, Transaction } from "../Transaction.ts"
import { AT_ONCE, type Task, TaskStore } from "./TaskStore.ts"

/** How long a page is left alone before its last try. */
const QUIET = Duration.toMillis("1 hour")

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const tasks = yield* TaskStore
  const transaction = yield* Transaction
  const replaceReason = (id: number, from: string, to: string) =>
    sql`UPDATE links SET stages = replace(stages, ${from}, ${to}) WHERE id = ${id}`
  return {
    add: Effect.fn("CrashSuspects.add")(function* (id: LinkId) {
      yield* tasks.renew("suspect", id, (yield* Clock.currentTimeMillis) + QUIET)
    }),
    /** Counts a link's last try before it begins: it counts even if the process ends during it. */
    tried: Effect.fn("CrashSuspects.tried")(
      (task: Task) =>
        Effect.zipRight(tasks.postpone(task, null), replaceReason(task.subject, ENDED_TWICE, ENDED_AGAIN)),
      transaction,
      orDefect
    ),
    /** Uncounts a try that a clean stop has ended. */
    stopped: Effect.fn("CrashSuspects.stopped")(
      (task: Task) =>
        Effect.zipRight(tasks.postpone(task, AT_ONCE), replaceReason(task.subject, ENDED_AGAIN, ENDED_TWICE)),
      transaction,
      orDefect
    ),
    remove: Effect.fn("CrashSuspects.remove")((id: LinkId) => tasks.remove("suspect", id))
  }
})

/** Links whose reading ended the process twice: read once more, alone and later; then only the owner reads them again. */
export class CrashSuspects extends Service<CrashSuspects>()("CrashSuspects", make) {}
