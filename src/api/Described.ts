import { OpenApi } from "@effect/platform"
import type { QueryParameter } from "./Parameters.ts"

interface More {
  /** More than a line has room for, as Markdown. */
  readonly description?: string
  readonly parameters?: ReadonlyArray<QueryParameter>
}

/** What the documentation says of an endpoint: a line, and more where there is more to say. */
export const described = (summary: string, { description, parameters }: More = {}) =>
  OpenApi.annotations({
    summary,
    ...(description === undefined ? {} : { description }),
    ...(parameters === undefined ? {} : { override: { parameters } })
  })
