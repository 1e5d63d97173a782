import { expect, test } from "bun:test"
import { columnOf, columnsBut } from "../../../src/store/links/LinkColumns.ts"
import { readNewLibrary } from "../../../src/store/NewLibrary.ts"

const columnsIn = (table: string): Array<string> =>
  readNewLibrary((library) =>
    library
      .query<{ name: string }, [string]>("SELECT name FROM pragma_table_info(?)")
      .all(table)
      .map(({ name }) => name)
      .sort()
  )

test("the columns of a link are those of its table", () => {
  expect([...columnsBut().map(columnOf), "id", "collection_id"].sort()).toEqual(columnsIn("links"))
})

test("the trash keeps them", () => {
  const own = ["id", "deleted_at", "messages", "collection_id"]
  expect([...columnsBut().map(columnOf), ...own].sort()).toEqual(columnsIn("trash"))
})
