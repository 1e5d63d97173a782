import { Effect, Option, Stream } from "effect"
import { articleText } from "../domain/Article.ts"
import {
  type Highlight,
  type HighlightEdit,
  type HighlightId,
  type ListedHighlight,
  type NewHighlight,
  newHighlight
} from "../domain/Highlight.ts"
import type { LinkId } from "../domain/Link.ts"
import { yieldToEventLoop } from "../runtime/Scheduling.ts"
import { Service } from "../runtime/Services.ts"
import { describePassage } from "../shared/anchor/Describe.ts"
import { findPassage, type SearchableText, searchable } from "../shared/anchor/Find.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import {
  type Anchored,
  type BroughtHighlight,
  type HighlightQuery,
  HighlightStore,
  type Replaced
} from "../store/pages/HighlightStore.ts"
import { PageStore } from "../store/pages/PageStore.ts"
import { afterCommit } from "../store/Transaction.ts"
import { annotationOf, annotationPage, highlightsMarkdown } from "../transfer/HighlightFiles.ts"
import { Events } from "./Events.ts"

type ExportQuery = Pick<HighlightQuery, "q" | "colour" | "link">

const make = Effect.gen(function* () {
  const store = yield* HighlightStore
  const pages = yield* PageStore
  const links = yield* LinkStore
  const events = yield* Events
  // One after another: places in an older version of a page must not replace those in a newer one.
  const replacing = yield* Effect.makeSemaphore(1)

  const announced = (id: LinkId) =>
    afterCommit(Effect.flatMap(links.getAll([id]), (now) => events.links("changed", now)))

  /** None without a readable page. */
  const textOf = (id: LinkId) =>
    Effect.option(Effect.map(pages.read(id), ({ html }) => searchable(articleText(html))))

  const placeIn = (text: Option.Option<SearchableText>, one: NewHighlight | Highlight): Anchored =>
    Option.match(text, {
      onNone: () => "unplaced",
      onSome: (searched) => findPassage(searched, one) ?? "lost"
    })

  /** A quotation without context gets the context of its place. */
  const withContext = (
    text: Option.Option<SearchableText>,
    one: NewHighlight,
    place: Anchored
  ): NewHighlight => {
    if (Option.isNone(text) || typeof place === "string" || one.prefix !== "" || one.suffix !== "") return one
    const { prefix = "", suffix = "" } = describePassage(text.value.text, place.start, place.end) ?? {}
    return { ...one, prefix, suffix }
  }

  const replaceNow = Effect.fn("Highlights.replace")(function* (id: LinkId) {
    const all = yield* store.ofLink(id)
    if (all.length === 0) return
    const text = yield* textOf(id)
    const moved: Array<Replaced> = []
    for (const one of all) {
      yield* yieldToEventLoop
      const place = placeIn(text, one)
      const [start, end] = typeof place === "string" ? [null, null] : [place.start, place.end]
      if (start !== one.start || end !== one.end || (place === "lost") !== one.isLost)
        moved.push({ id: one.id, place })
    }
    if (moved.length === 0) return
    yield* store.replace(id, moved)
    yield* announced(id)
  })

  /** Looks for the passages again once the caller's transaction has committed, whenever a page is kept or forgotten. */
  const replace = (id: LinkId) =>
    afterCommit(
      Effect.catchAll(replacing.withPermits(1)(replaceNow(id)), ({ message }) =>
        Effect.logWarning(`the highlights of #${id} were not looked for in its page: ${message}`)
      )
    )

  const inLinks = (query: ExportQuery) =>
    Stream.paginateEffect(0, (after) =>
      Effect.map(
        Effect.zipLeft(store.inLinks(query, after), yieldToEventLoop),
        (some): readonly [ReadonlyArray<ListedHighlight>, Option.Option<number>] => [
          some?.found ?? [],
          Option.fromNullable(some?.last)
        ]
      )
    )

  return {
    add: Effect.fn("Highlights.add")(function* (id: LinkId, highlight: NewHighlight) {
      const text = yield* textOf(id)
      const place = placeIn(text, highlight)
      const added = yield* store.add(id, withContext(text, highlight, place), place)
      yield* announced(id)
      return added
    }),
    /** Looks for the passages after the commit; leaves out known ones. An undo of `change` removes them. Returns how many. */
    addAll: Effect.fn("Highlights.addAll")(function* (
      id: LinkId,
      highlights: ReadonlyArray<BroughtHighlight>,
      change?: number
    ) {
      const unplaced = highlights.map((highlight) => ({ highlight, place: "unplaced" as const }))
      const added = yield* store.addAll(id, unplaced, change)
      if (added > 0) yield* replace(id)
      return added
    }),
    isInPage: Effect.fn("Highlights.isInPage")(function* (id: LinkId, quote: string) {
      const place = placeIn(yield* textOf(id), newHighlight(quote))
      return typeof place !== "string"
    }),
    change: Effect.fn("Highlights.change")(function* (link: LinkId, id: HighlightId, edit: HighlightEdit) {
      const changed = yield* store.change(link, id, edit)
      yield* announced(link)
      return changed
    }),
    remove: Effect.fn("Highlights.remove")(function* (link: LinkId, id: HighlightId) {
      const undo = yield* store.remove(link, id)
      yield* announced(link)
      return undo
    }),
    /** Part of the change with this token. */
    move: (into: LinkId, others: ReadonlyArray<LinkId>, token: string) =>
      Effect.zipLeft(store.move(into, others, token), replace(into)),
    replace,
    ofKnownLink: (id: LinkId) => Effect.zipRight(links.get(id), store.ofLink(id)),
    /** Link by link, in the order of each page. */
    markdown: (query: ExportQuery) =>
      Stream.concat(Stream.make("# Highlights\n\n"), Stream.map(inLinks(query), highlightsMarkdown)),
    /** An annotation page of the Web Annotation Data Model (JSON-LD); `base` is the service's address. */
    annotations: (query: ExportQuery, base: string) => {
      const [start, end] = annotationPage(base)
      const items = inLinks(query).pipe(
        Stream.flatMap(Stream.fromIterable),
        Stream.map((one) => JSON.stringify(annotationOf(base, one))),
        Stream.intersperse(",")
      )
      return Stream.make(start).pipe(Stream.concat(items), Stream.concat(Stream.make(end)))
    }
  }
})

/** The owner's highlights. `EditLinks.undo` undoes every change; open pages hear of it as a change of the link. */
export class Highlights extends Service<Highlights>()("Highlights", make) {}
