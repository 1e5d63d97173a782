import type { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { LinkPage } from "./LinkList.ts"

/** How many answers of a kind are remembered; beyond that it begins anew. */
const MAX_COUNTS = 500
const MAX_PAGES = 50

/**
 * Remembers answers for as long as nothing in the database changes, through this connection or another
 * (https://www.sqlite.org/pragma.html#pragma_data_version): a look that is repeated costs one small question.
 */
export const makeRemembered = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const stamp = sql`SELECT total_changes() || ' ' || data_version FROM pragma_data_version`.values
  const counts = new Map<string, number>()
  const pages = new Map<string, LinkPage>()
  let seen = ""

  const current = Effect.map(Effect.orDie(stamp), ([row]) => {
    const now = String(row?.[0])
    if (now === seen) return
    seen = now
    counts.clear()
    pages.clear()
  })

  const within =
    <A>(answers: Map<string, A>, most: number) =>
    (question: string, answer: Effect.Effect<A>): Effect.Effect<A> =>
      Effect.flatMap(current, () => {
        const known = answers.get(question)
        if (known !== undefined) return Effect.succeed(known)
        if (answers.size >= most) answers.clear()
        const asked = seen
        // An answer that was overtaken by a change is given, but not remembered.
        return Effect.tap(answer, (found) =>
          Effect.sync(() => void (asked === seen && answers.set(question, found)))
        )
      })

  yield* current
  return { counts: within(counts, MAX_COUNTS), pages: within(pages, MAX_PAGES) }
})
