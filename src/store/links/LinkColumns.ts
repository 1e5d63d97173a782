import { Struct } from "effect"
import { isLinkColumn, type LinkColumn, linkColumns } from "../../domain/LinkColumns.ts"

export const columnOf = (key: LinkColumn): string =>
  key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

export const columnsBut = (...others: ReadonlyArray<LinkColumn>): ReadonlyArray<LinkColumn> =>
  Struct.keys(linkColumns).filter((key) => !others.includes(key))

export const jsonOf = (row: string, key: LinkColumn): string => {
  const column = `${row}.${columnOf(key)}`
  const { [key]: held } = linkColumns
  return held === "json"
    ? `json(${column})`
    : held === "flag"
      ? `json(iif(${column}, 'true', 'false'))`
      : column
}

/** SQL for a link's JSON with these keys. SQLite writes it, so no object is built and encoded per row. */
export const linkObject = <Key extends string>(
  row: string,
  keys: ReadonlyArray<Key>,
  expressions: Readonly<Record<Exclude<Key, LinkColumn>, string>> & Partial<Readonly<Record<Key, string>>>
): string => {
  const given: Partial<Readonly<Record<string, string>>> = expressions
  const pairs = keys.flatMap((key) => {
    const value = given[key] ?? (isLinkColumn(key) ? jsonOf(row, key) : undefined)
    return value === undefined ? [] : [`'${key}', ${value}`]
  })
  return `json_object(${pairs.join(", ")})`
}
