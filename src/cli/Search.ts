import { Args, Command, Options } from "@effect/cli"
import { Console, Effect, Option, Schema } from "effect"
import { Link } from "../domain/Link.ts"
import type { LinksAnswer } from "../http/api/Bodies.ts"
import { columnsOf, withoutControls } from "../runtime/Terminal.ts"
import { count, grouped } from "../shared/Format.ts"
import { tableOf } from "./client/Lines.ts"
import { withLibrary } from "./client/WithLibrary.ts"
import { flag, optionalText } from "./Input.ts"

/** Links that a terminal shows without `--limit`. */
const SHOWN = 20
/** Links in one request while all of them are printed. */
const PAGE = 500

const json = flag("json", "Prints one link a line as JSON, which is the default in a pipe.")

const limit = Options.integer("limit").pipe(
  Options.optional,
  Options.withDescription(
    `The most links to print. Defaults to ${SHOWN} on a terminal; a pipe gets all of them.`
  )
)

/** Whether a command prints JSON: to a file or another program. */
export const printsJson = (isAsked: boolean) => isAsked || process.stdout.isTTY !== true

export const encodeLink = Schema.encodeSync(Schema.parseJson(Link))

interface Given {
  readonly json: boolean
  readonly limit: Option.Option<number>
}

/** Prints the links that a search text finds, page by page. */
const print = (q: string, given: Given) =>
  withLibrary((library) =>
    Effect.gen(function* () {
      const asJson = printsJson(given.json)
      const most = Math.max(
        1,
        Option.getOrElse(given.limit, () => (asJson ? Number.POSITIVE_INFINITY : SHOWN))
      )
      let printed = 0
      let cursor: string | null = null
      do {
        const size = Math.min(PAGE, most - printed)
        const page: typeof LinksAnswer.Type = yield* library.links({
          q,
          limit: String(size),
          ...(cursor === null ? {} : { cursor })
        })
        const { links, nextCursor, notices, total } = page
        if (printed === 0) yield* Effect.forEach(notices, ({ text }) => Console.error(withoutControls(text)))
        const lines = asJson
          ? links.map((link) => encodeLink(link))
          : tableOf(links, columnsOf(process.stdout))
        if (lines.length > 0) yield* Console.log(lines.join("\n"))
        printed += links.length
        cursor = printed < most ? nextCursor : null
        if (cursor === null && !asJson && printed < total)
          yield* Console.error(
            `${grouped(printed)} of ${count(total, "link")}. --limit ${total} shows all of them.`
          )
        if (total === 0 && !asJson) yield* Console.error("Nothing found.")
      } while (cursor !== null)
    })
  )

const words = Args.text({ name: "[-]WORD" }).pipe(
  Args.atLeast(1),
  Args.withDescription("Words and operators, such as tag:effect, is:unread, site:github.com or -word.")
)

export const search = Command.make("search", { json, limit, words }, ({ words, ...given }) =>
  print(words.join(" "), given)
).pipe(Command.withDescription("Finds links by words, by meaning and with the operators of search."))

const operator = (name: string, value: Option.Option<string>) =>
  Option.match(value, { onNone: () => [], onSome: (text) => [`${name}:"${text.replaceAll('"', "")}"`] })

export const list = Command.make(
  "list",
  {
    collection: optionalText("collection", "NAME", "Only links in this collection."),
    favorites: flag("favorites", "Only favorites."),
    json,
    limit,
    tag: optionalText("tag", "TAG", "Only links with this tag."),
    unread: flag("unread", "Only unread links.")
  },
  ({ collection, favorites, tag, unread, ...given }) =>
    print(
      [
        ...(unread ? ["is:unread"] : []),
        ...(favorites ? ["is:favorite"] : []),
        ...operator("tag", tag),
        ...operator("collection", collection)
      ].join(" "),
      given
    )
).pipe(Command.withDescription("Lists links, the newest first."))
