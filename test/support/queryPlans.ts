import { SqlClient } from "@effect/sql"
import { Effect, type Tracer } from "effect"

/** How SQLite runs a statement: one line a table, outermost first (https://www.sqlite.org/eqp.html). */
export interface QueryPlan {
  readonly statement: string
  readonly details: ReadonlyArray<string>
}

/** Runs the effect, and returns the plans of the statements it has run. */
export const queryPlans = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const sql = yield* SqlClient.SqlClient
  const tracer = yield* Effect.tracer
  const statements = new Set<string>()
  const watching: Tracer.Tracer = {
    ...tracer,
    span: (...of) => {
      const span = tracer.span(...of)
      const attribute = span.attribute.bind(span)
      span.attribute = (key, value) => {
        if (key === "db.query.text") statements.add(String(value))
        attribute(key, value)
      }
      return span
    }
  }
  yield* Effect.withTracer(effect, watching)
  const plans: Array<QueryPlan> = []
  for (const statement of statements) {
    const unbound = Array.from(statement.matchAll(/\?/g), () => null)
    const plan = yield* sql.unsafe<{ detail: string }>(`EXPLAIN QUERY PLAN ${statement}`, unbound)
    plans.push({ statement, details: plan.map(({ detail }) => detail) })
  }
  return plans
})
