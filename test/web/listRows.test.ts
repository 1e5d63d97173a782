import { describe, expect, test } from "bun:test"
import { makeListRows, makeTwins } from "../../web/app/listRows.ts"

/** Writes rows as text: a heading by its name, links by their indexes. */
const written = (rows: ReturnType<ReturnType<typeof makeListRows>>["rows"]) =>
  rows.map((row) => (row.kind === "heading" ? row.text : `${row.from}-${row.to}`))

const letters = ["a", "a", "a", "b", "b", "a"]
const headingOf = (id: number) => letters[id] ?? "z"

describe("the rows of a list", () => {
  test("have one link each without columns or headings", () => {
    const { rowOf, rows } = makeListRows({ columns: 1, headingOf: undefined })([7, 8, 9])
    expect(written(rows)).toEqual(["0-1", "1-2", "2-3"])
    expect([0, 1, 2].map(rowOf)).toEqual([0, 1, 2])
  })

  test("are filled up to the columns, and start anew below each heading", () => {
    const { rowOf, rows } = makeListRows({ columns: 2, headingOf })([0, 1, 2, 3, 4, 5])
    expect(written(rows)).toEqual(["a", "0-2", "2-3", "b", "3-5", "a", "5-6"])
    expect([0, 1, 2, 3, 4, 5].map(rowOf)).toEqual([1, 1, 2, 4, 4, 6])
  })

  test("are the same whether a list grew or came at once, and look at an added link only once", () => {
    const looked: Array<number> = []
    const all = [0, 1, 2, 3, 4, 5]
    const growing = makeListRows({
      columns: 2,
      headingOf: (id) => {
        looked.push(id)
        return headingOf(id)
      }
    })
    for (let length = 1; length <= all.length; length++) {
      const ids = all.slice(0, length)
      expect(growing(ids)).toMatchObject({ rows: makeListRows({ columns: 2, headingOf })(ids).rows })
    }
    expect(looked).toEqual(all)
    expect(written(growing([1, 2]).rows)).toEqual(["a", "0-2"])
  })

  test("leave the rows of an earlier list as they were", () => {
    const grow = makeListRows({ columns: 3, headingOf: undefined })
    const { rows } = grow([1])
    grow([1, 2])
    expect(written(rows)).toEqual(["0-1"])
  })
})

test("twins are all links with the same key, also those that were loaded earlier", () => {
  const twins = makeTwins((id) => (id === 9 ? undefined : String(id % 3)))
  expect([...twins([1, 2, 9])]).toEqual([])
  expect([...twins([1, 2, 9, 4])].toSorted()).toEqual([1, 4])
  expect([...twins([2, 9, 4])]).toEqual([])
})
