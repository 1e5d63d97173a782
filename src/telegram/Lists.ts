import { Array, Clock, Effect, Option } from "effect"
import type { Link, LinkId } from "../domain/Link.ts"
import { isInTrash, type LinkQuery, parseQuery } from "../domain/LinkQuery.ts"
import type { SavedSearch } from "../domain/SavedSearch.ts"
import { ChatChanges } from "../library/ChatChanges.ts"
import { ChatMemory } from "../library/ChatMemory.ts"
import { LikelyTags } from "../library/LikelyTags.ts"
import { LinkQueries } from "../library/LinkQueries.ts"
import { type ResultList, ResultLists, type ResultPage } from "../library/ResultLists.ts"
import { ownName, shortPath } from "../shared/CollectionPath.ts"
import { nearest } from "../shared/EditDistance.ts"
import { count } from "../shared/Format.ts"
import { defaultSort } from "../shared/ListParameters.ts"
import { alsoText } from "../shared/SearchNotices.ts"
import { shortened } from "../shared/Text.ts"
import { SearchStore } from "../store/links/SearchStore.ts"
import { type ButtonAction, button, rowsOf } from "./Buttons.ts"
import { cardOf, cardWithChoices, detailsLine, linkLine } from "./Card.ts"
import {
  type Button,
  bold,
  type Content,
  concat,
  empty,
  type Html,
  italic,
  lines,
  linkGone,
  text,
  userError
} from "./Content.ts"
import { howToSave } from "./Replies.ts"

/** Default and maximum number of links per message; the maximum fits the platform's limits. */
export const PAGE = 5
export const MAX_PAGE = 20
/** Maximum title and details length in UTF-16 units, so that twenty links fit into a message. */
const MAX_TITLE = 80
const MAX_FACTS = 70
const MAX_WORDS = 200
/** Maximum length of a summary in UTF-16 units, which short pages show. */
const MAX_SUMMARY = 120
const NUMBERS_PER_ROW = 5
const RESTORES_PER_ROW = 3

/** How to show a list: the heading by number of links found, the links per page, and the rest as in `ResultList`. */
interface Display {
  readonly head: (total: number, by: "words" | "some" | "meaning", also: ReadonlyArray<string>) => string
  readonly like?: LinkId
  readonly size?: number
  readonly answersWords?: boolean
}

export const makeChatLists = Effect.gen(function* () {
  const results = yield* ResultLists

  const find = Effect.fn("Lists.find")(function* (query: Partial<LinkQuery>, how: Display) {
    const { also, by, ids, total } = yield* Effect.mapError(results.find(query), ({ message }) =>
      userError(message)
    )
    const list: ResultList = {
      head: how.head(total, by, also),
      size: how.size ?? PAGE,
      ids,
      beyond: Math.max(0, total - ids.length),
      ...(how.like === undefined ? {} : { like: how.like }),
      answersWords: how.answersWords ?? false,
      inTrash: isInTrash({ filters: query.filters ?? [] })
    }
    return list
  })

  return {
    /** Runs the query and returns a list to open. Not for use in a transaction, which a search would hold up. */
    find,
    search: (words: string, answersWords: boolean) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        find(
          { ...parseQuery(words, now), sort: "relevance" },
          {
            head: (total, by, also) => {
              const quoted = `“${shortened(words, MAX_WORDS)}”`
              if (total === 0) return `Nothing found for ${quoted}`
              if (also.length > 0)
                return `Nothing has all of these words. ${count(total, "link")} by words near them (${alsoText(also)})`
              if (by === "meaning") return "Nothing has these words. Nearest in meaning"
              return by === "some"
                ? `Nothing has all of these words. ${count(total, "link has", "links have")} some of them`
                : `${count(total, "match", "matches")} for ${quoted}`
            },
            answersWords
          }
        )
      ),
    similar: ({ id }: Link) =>
      find(
        { like: id, sort: "relevance" },
        { head: (total) => `${total === 0 ? "Nothing similar to" : "Similar to"} #${id}`, like: id }
      ),
    ofCollection: ({ id, name }: { readonly id: number; readonly name: string }) =>
      find(
        { collection: id },
        { head: (total) => `📁 ${shortPath(name, MAX_TITLE)}, ${count(total, "link")}` }
      ),
    ofSaved: ({ name, query, sort }: SavedSearch) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const parsed = parseQuery(query, now)
        const order = sort ?? defaultSort(parsed.terms.some((term) => !term.negated))
        return find(
          { ...parsed, sort: order },
          { head: (total) => `🔎 ${shortened(name, MAX_TITLE)}, ${count(total, "link")}` }
        )
      }),
    /** Returns the first page and, in the caller's transaction, stores a list that has more pages. */
    open: (list: ResultList) => Effect.map(results.open(list), contentOf),
    /** Returns another page; none if the list has expired. */
    page: (number: number, page: number) => Effect.map(results.page(number, page), Option.map(contentOf))
  }
})

const howTrashEnds: Html = italic(
  text("Links are deleted forever after 30 days here. To delete one now, send /delete and its number.")
)

const item =
  (withSummary: boolean) =>
  (it: Link, index: number): Html =>
    lines([
      concat(text(`${index + 1}. `), linkLine(it, MAX_TITLE)),
      detailsLine(it, MAX_FACTS),
      withSummary ? text((it.summary || it.description).replace(/\s+/g, " "), MAX_SUMMARY) : empty
    ])

const contentOf = ({ like, links, list, number, page, pages }: ResultPage): Content => {
  const head = like === undefined ? list.head : `${list.head} ${shortened(like.title, MAX_TITLE)}`
  const last = page >= pages - 1
  const items = links.map(item(list.size <= PAGE))
  const turn = [
    ...(page > 0 ? [button("‹ Back", { _tag: "List" as const, list: number, page: page - 1 })] : []),
    ...(last ? [] : [button("More ›", { _tag: "List" as const, list: number, page: page + 1 })])
  ]
  const numbers = links.map(({ id }, index) =>
    list.inTrash
      ? button(`↩ Restore ${index + 1}`, { _tag: "Restore", id, fromList: true })
      : button(String(index + 1), { _tag: "Show", id })
  )
  const where = pages > 1 ? ` (page ${page + 1} of ${pages})` : ""
  return {
    html: lines(
      [
        text(`${head}${where}${links.length > 0 ? ":" : "."}`),
        list.size > PAGE ? lines(items) : lines(items, "\n\n"),
        last && list.beyond > 0 ? italic(text(`and ${list.beyond} more in the dashboard`)) : empty,
        list.inTrash && links.length > 0 ? howTrashEnds : empty,
        list.answersWords ? howToSave : empty
      ],
      "\n\n"
    ),
    buttons: [
      ...rowsOf(numbers, list.inTrash ? RESTORES_PER_ROW : NUMBERS_PER_ROW),
      ...(turn.length > 0 ? [turn] : [])
    ]
  }
}

/** Collections or saved searches per message, buttons per row, and maximum label length in UTF-16 units. */
const LISTED_PAGE = 8
const BUTTONS_PER_ROW = 2
const MAX_LABEL = 24

const pagesOf = (all: ReadonlyArray<unknown>) => Math.max(1, Math.ceil(all.length / LISTED_PAGE))
/** Clamps a page to the last one, because collections may have been deleted since. */
const clampPage = (all: ReadonlyArray<unknown>, page: number) => Math.min(page, pagesOf(all) - 1)

const pageButtons = (
  all: ReadonlyArray<unknown>,
  page: number,
  to: (page: number) => ButtonAction
): ReadonlyArray<Button> => [
  ...(page > 0 ? [button("‹ Back", to(page - 1))] : []),
  ...(page < pagesOf(all) - 1 ? [button("More ›", to(page + 1))] : [])
]

/** A page of a list, eight a message, each with a button; `none` is said of an empty list. */
const overviewOf = <A>(
  all: ReadonlyArray<A>,
  wanted: number,
  {
    button: buttonOf,
    head,
    line,
    none,
    turn
  }: {
    readonly head: string
    readonly none: string
    readonly line: (one: A) => string
    readonly button: (one: A) => Button
    readonly turn: (page: number) => ButtonAction
  }
): Content => {
  const page = clampPage(all, wanted)
  const shown = all.slice(page * LISTED_PAGE, (page + 1) * LISTED_PAGE)
  return {
    html: all.length === 0 ? text(none) : lines([bold(text(head)), ...shown.map((one) => text(line(one)))]),
    buttons: rows(...rowsOf(shown.map(buttonOf), BUTTONS_PER_ROW), pageButtons(all, page, turn))
  }
}

const rows = (...all: ReadonlyArray<ReadonlyArray<Button>>) => all.filter((row) => row.length > 0)

export const makeCollections = Effect.gen(function* () {
  const { collections: all } = yield* LinkQueries
  const changes = yield* ChatChanges

  return {
    all,
    picker: Effect.fn("Lists.picker")(function* (link: Link, wanted: number) {
      const collections = yield* all
      const page = clampPage(collections, wanted)
      const { id } = link
      const offered = collections.slice(page * LISTED_PAGE, (page + 1) * LISTED_PAGE).map((one) =>
        button(`${one.id === link.collection?.id ? "✓ " : ""}${shortPath(one.name, MAX_LABEL)}`, {
          _tag: "Move",
          id,
          collection: one.id
        })
      )
      return cardWithChoices(
        link,
        rows(
          ...rowsOf(offered, BUTTONS_PER_ROW),
          pageButtons(collections, page, (next) => ({ _tag: "Collections", id, page: next })),
          [
            button(link.collection === null ? "✓ No collection" : "No collection", {
              _tag: "Move",
              id,
              collection: null
            }),
            button("✏️ Another…", { _tag: "AskCollection", id }),
            button("Cancel", { _tag: "Card", id })
          ]
        )
      )
    }),
    /** Says if the move made the collection, and then offers one that is called nearly the same. */
    moveTo: Effect.fn("Lists.moveTo")(function* (id: LinkId, name: string) {
      const before = yield* all
      const { link, undo } = yield* Effect.catchTag(changes.move(id, name), "LinkNotFound", () => linkGone)
      const { id: collection, name: path } = link.collection ?? { id: 0, name }
      const undoToken = Option.getOrUndefined(undo)
      if (before.some((one) => one.id === collection)) {
        const head = text(`${undoToken === undefined ? "Already" : "Now"} in ${path}.`)
        return cardOf(link, { head, undo: undoToken })
      }
      const nearBy = (nameOf: (one: { readonly name: string }) => string) => {
        const named = nearest(path, before.map(nameOf))
        return before.find((one) => nameOf(one) === named)
      }
      const near = nearBy((one) => one.name) ?? nearBy((one) => ownName(one.name))
      const asked = near === undefined ? "" : ` Did you mean ${near.name}?`
      const card = cardOf(link, { head: text(`Created ${path}.${asked}`), undo: undoToken })
      const offer =
        near === undefined
          ? []
          : [[button(`📁 ${shortPath(near.name, MAX_LABEL)}`, { _tag: "Move", id, collection: near.id })]]
      return { ...card, buttons: [...offer, ...(card.buttons ?? [])] }
    }),
    overview: (page: number) =>
      Effect.map(all, (collections) =>
        overviewOf(collections, page, {
          head: count(collections.length, "collection"),
          none: "No collections yet. Press 📁 on a link’s card to create one.",
          line: (one) => `📁 ${shortPath(one.name, 100)} · ${count(one.count, "link")}`,
          button: ({ id, name }) =>
            button(shortPath(name, MAX_LABEL), { _tag: "OpenCollection", collection: id }),
          turn: (next) => ({ _tag: "AllCollections", page: next })
        })
      )
  }
})

export const makeSavedSearches = Effect.gen(function* () {
  const { all } = yield* SearchStore
  const isNamed = (name: string) => (one: SavedSearch) => one.name.toLowerCase() === name.toLowerCase()

  return {
    all,
    /** Returns the saved search with this name, or the only one whose name starts with it. */
    named: Effect.fn("Lists.named")(function* (name: string) {
      const searches = yield* all
      const like = searches.filter((one) => one.name.toLowerCase().startsWith(name.toLowerCase()))
      const found = searches.find(isNamed(name)) ?? (like.length === 1 ? like[0] : undefined)
      return (
        found ??
        (yield* userError(
          `${like.length === 0 ? "No saved search is called" : "Several saved searches start with"} “${shortened(name, MAX_LABEL)}”. /saved lists them all.`
        ))
      )
    }),
    overview: (page: number) =>
      Effect.map(all, (searches) =>
        overviewOf(searches, page, {
          head: count(searches.length, "saved search", "saved searches"),
          none: "No saved searches yet. Save one in the dashboard.",
          line: ({ name, query }) =>
            `🔎 ${shortened([name, query].filter((part) => part !== "").join(" · "), 100)}`,
          button: ({ id, name }) => button(shortened(name, MAX_LABEL), { _tag: "OpenSaved", search: id }),
          turn: (next) => ({ _tag: "AllSaved", page: next })
        })
      )
  }
})

/** Maximum number of the link's own tags among the buttons; the likely ones follow. */
const MAX_OWN = 16

/** A link's card with tags as buttons; `list` is the number under which the tags are kept. */
const keyboardOf = (link: Link, list: number, tags: ReadonlyArray<string>): Content => {
  const { id } = link
  const toggles = tags.map((tag, index) => {
    const has = link.tags.includes(tag)
    const label = `${has ? "✓ " : ""}${shortened(tag, MAX_LABEL)}`
    return button(label, { _tag: "Tag", id, list, index, on: !has })
  })
  return cardWithChoices(
    link,
    [...rowsOf(toggles, BUTTONS_PER_ROW), [button("Done", { _tag: "Card", id })]],
    { foot: italic(text(`For other tags, send /tag ${id} effect -draft; the minus removes one.`)) }
  )
}

export const makeTagKeyboard = Effect.gen(function* () {
  const likely = yield* LikelyTags
  const memory = yield* ChatMemory

  return {
    /** Looks up the tags; the effect it returns keeps them for the buttons, in the caller's transaction. */
    prepare: Effect.fn("TagKeyboard.prepare")(function* (link: Link) {
      const tags = Array.dedupe([...link.tags.slice(0, MAX_OWN), ...(yield* likely.of(link))])
      return Effect.map(memory.keepTags(tags), (list) => keyboardOf(link, list, tags))
    }),
    /** Returns the tag behind a button; none if the buttons have expired. */
    tagAt: Effect.fn("TagKeyboard.tagAt")(function* (list: number, index: number) {
      return Option.flatMap(yield* memory.keptTags(list), Array.get(index))
    }),
    /** Shows the same buttons again, for the link as it is now. */
    again: Effect.fn("TagKeyboard.again")(function* (link: Link, list: number) {
      const tags = Option.getOrElse(yield* memory.keptTags(list), (): ReadonlyArray<string> => [])
      return keyboardOf(link, list, tags)
    })
  }
})
