import * as Statement from "@effect/sql/Statement"

type Value = Statement.Fragment | string | number | null

export const fragment = (texts: TemplateStringsArray, ...values: ReadonlyArray<Value>): Statement.Fragment =>
  joined(
    [...texts]
      .flatMap((text, at) => [text, ...values.slice(at, at + 1).map(asFragment)])
      .filter((part) => part !== "")
  )

const joined = Statement.join("", false)

const asFragment = (value: Value) =>
  Statement.isFragment(value) ? value : Statement.unsafeFragment("?", [value])

export const literal = (text: string): Statement.Fragment => Statement.unsafeFragment(text)

/** A list of values for `IN`, as one parameter, so that a statement is prepared once for any number of them. */
export const listOf = (values: ReadonlyArray<string | number>): Statement.Fragment =>
  fragment`(SELECT value FROM json_each(${JSON.stringify(values)}))`

export { and, or } from "@effect/sql/Statement"
