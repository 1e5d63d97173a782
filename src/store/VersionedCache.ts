import type { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** Changes with whatever changes in the database, through this connection or another. */
export const stampOf = (sql: SqlClient.SqlClient): Effect.Effect<string> =>
  Effect.map(
    Effect.orDie(sql`SELECT total_changes() || ' ' || data_version FROM pragma_data_version`.values),
    ([row]) => String(row?.[0])
  )

/** Answers a question from memory, or by the effect, whose answer it then keeps. */
type Remember<A> = (question: string, answer: Effect.Effect<A>) => Effect.Effect<A>

/**
 * Remembers answers for as long as nothing in the database changes, through this connection or another
 * (https://www.sqlite.org/pragma.html#pragma_data_version): a look that is repeated costs one small question.
 *
 * What it gives makes a memory for one kind of answer, which begins anew when it holds `most` of them.
 */
export const makeVersionedCache = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const stamp = stampOf(sql)
  const memories: Array<{ readonly clear: () => void }> = []
  let seen = ""

  const current = Effect.map(stamp, (now) => {
    if (now === seen) return
    seen = now
    for (const memory of memories) memory.clear()
  })

  yield* current
  return <A>(most: number): Remember<A> => {
    const answers = new Map<string, A>()
    memories.push(answers)
    return (question, answer) =>
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
  }
})
