import { type Content, type Element, h } from "../tree.ts"

/** A table with a heading for each column. */
export const table = (columns: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<Content>>): Element =>
  h(
    "table",
    {},
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        columns.map((column) => h("th", { scope: "col" }, column))
      )
    ),
    h(
      "tbody",
      {},
      rows.map((row) =>
        h(
          "tr",
          {},
          row.map((cell) => h("td", {}, cell))
        )
      )
    )
  )
