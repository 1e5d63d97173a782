import * as Statement from "@effect/sql/Statement"

type Value = Statement.Fragment | string | number | null

/** Builds a part of a statement from a template, as the client does, where no client is at hand. */
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

export { and, or } from "@effect/sql/Statement"
