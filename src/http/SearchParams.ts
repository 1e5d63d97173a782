import { HttpServerRequest } from "@effect/platform"
import { Effect } from "effect"

/** An address's parameters; one that is repeated has a list of values. */
export type Params = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** The request's parameters as they were sent. The router's own reading of them makes one slash of two. */
export const searchParams = Effect.map(HttpServerRequest.HttpServerRequest, ({ url }): Params => {
  const query = url.indexOf("?")
  const params = new URLSearchParams(query === -1 ? "" : url.slice(query))
  return Object.fromEntries(
    [...new Set(params.keys())].map((name) => {
      const [first, ...more] = params.getAll(name)
      return [name, more.length === 0 ? first : [first ?? "", ...more]]
    })
  )
})
