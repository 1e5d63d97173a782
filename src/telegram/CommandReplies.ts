import { Array, Effect, Option } from "effect"
import { ownAddress } from "../config/Addresses.ts"
import type { Job } from "../domain/Job.ts"
import { type Link, type LinkId, type LinkNotFound, normalizeCollectionName } from "../domain/Link.ts"
import { readNote } from "../domain/Note.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { type ChangedLink, ChatChanges } from "../library/ChatChanges.ts"
import { ChatMemory } from "../library/ChatMemory.ts"
import { Duplicates } from "../library/Duplicates.ts"
import { LinkQueries } from "../library/LinkQueries.ts"
import { Organize } from "../library/Organize.ts"
import { Recategorize } from "../library/Recategorize.ts"
import { Refresh } from "../library/Refresh.ts"
import { RetryLinks } from "../library/RetryLinks.ts"
import { WeeklyHighlights } from "../library/WeeklyHighlights.ts"
import { count } from "../shared/Format.ts"
import { MAX_TITLE } from "../shared/Limits.ts"
import { normalizeOwnerTag } from "../shared/Tags.ts"
import { oneLine } from "../shared/Text.ts"
import { cardOf, deleteQuestion, trashedReply } from "./Card.ts"
import { type CommandName, commandNamed, takesText } from "./Commands.ts"
import {
  type Content,
  type Html,
  lines,
  linkGone,
  type Outcome,
  type Prepared,
  text,
  type UserError,
  userError,
  withoutPreparation
} from "./Content.ts"
import { makeFileCommands } from "./FileCommands.ts"
import { recalledContent, WEEKLY_FOOTER } from "./HighlightMessages.ts"
import { JobReports, recategorizeQuestion } from "./JobReports.ts"
import {
  MAX_PAGE,
  makeChatLists,
  makeCollections,
  makeSavedSearches,
  makeTagKeyboard,
  PAGE
} from "./Lists.ts"
import { Profile } from "./Profile.ts"
import { makeReadingCommands } from "./ReadingCommands.ts"
import * as Replies from "./Replies.ts"
import type { ReplyContext } from "./ReplyContext.ts"
import { type ChatUpdate, leadingNumber } from "./Update.ts"

type Command = Extract<ChatUpdate, { readonly _tag: "Command" }>

const NOTHING_SAVED = "Nothing is saved yet. Send me a link"

type Handler = (command: Command) => Prepared<Outcome>

const examples: Readonly<Record<string, string>> = {
  tag: " effect -draft",
  title: " A better name",
  note: " read again",
  move: " Databases"
}

/** A tag of `/tag`, with its sign; in quotation marks it may contain blanks. */
const signedTag = /([+\-−–]?)(?:["“”]([^"“”]+)["“”]|([^\s,]+))/g

/** Reads the words of `/tag`: `a` and `+a` are tags to add, `-a` is one to remove. */
const tagsOf = (words: string) => {
  const all = [...words.matchAll(signedTag)].map(([, sign = "", quoted, bare = ""]) => ({
    isAdded: sign === "" || sign === "+",
    name: normalizeOwnerTag(quoted ?? bare)
  }))
  const named = (isAdded: boolean) =>
    Array.dedupe(all.flatMap((one) => (one.isAdded === isAdded && one.name !== "" ? [one.name] : [])))
  return { add: named(true), remove: named(false) }
}

export const makeCommandReplies = Effect.fnUntraced(function* ({ settlePrepared, reply }: ReplyContext) {
  const changes = yield* ChatChanges
  const collections = yield* makeCollections
  const duplicates = yield* Duplicates
  const files = yield* makeFileCommands
  const links = yield* LinkQueries
  const lists = yield* makeChatLists
  const memory = yield* ChatMemory
  const organize = yield* Organize
  const profile = yield* Profile
  const reading = yield* makeReadingCommands
  const recategorize = yield* Recategorize
  const weekly = yield* WeeklyHighlights
  const refresh = yield* Refresh
  const reports = yield* JobReports
  const retries = yield* RetryLinks
  const tags = yield* makeTagKeyboard
  const saved = yield* makeSavedSearches

  /** By number, else the link of the replied message. With `textFollows`, a number without `#` there is text. */
  const findLink = Effect.fn("CommandReplies.findLink")(function* (
    { args, chatId, name, replyTo }: Command,
    textFollows: boolean
  ) {
    const answered =
      replyTo === null ? Option.none<Link>() : yield* memory.linkOf({ chatId, messageId: replyTo })
    const number = leadingNumber(args)
    const isText = Option.isSome(answered) && textFollows && number?.marked === false
    if (number !== undefined && !isText) {
      const link = yield* Effect.mapError(links.getAnywhere(number.id), ({ message }) => userError(message))
      if (link.deletedAt !== undefined && name !== "delete")
        return yield* userError(`Link #${link.id} is in the trash. /trash lists it.`)
      return { link, rest: number.rest }
    }
    if (Option.isSome(answered)) return { link: answered.value, rest: args }
    return yield* userError(
      `Add the link’s number, as in /${name} 12${examples[name] ?? ""}, or reply to its card with /${name}${examples[name] ?? ""}.`
    )
  })

  const list = (found: ReturnType<typeof lists.find>): Prepared<Outcome> =>
    Effect.map(found, (one) => Effect.map(lists.open(one), (content) => ({ content })))

  const listOf =
    (query: Parameters<typeof lists.find>[0], none: string, some: (total: number) => string): Handler =>
    () =>
      list(lists.find(query, { head: (total) => (total === 0 ? none : some(total)) }))

  const only = (field: "unread" | "broken" | "trashed") => ({ filters: [{ field, negated: false }] })

  const answered = <E>(content: Effect.Effect<Content, E>) =>
    Effect.map(content, (found) => Effect.succeed({ content: found }))

  const say = (html: Html): Handler => {
    const answer = answered(Effect.succeed({ html }))
    return () => answer
  }

  const replyAboutLink = (
    command: Command,
    answer: (link: Link) => Effect.Effect<Content, UserError | StoreUnavailable>
  ): Prepared<Outcome> =>
    withoutPreparation(
      Effect.flatMap(findLink(command, false), ({ link }) =>
        Effect.map(answer(link), (content) => ({ content, about: [link] }))
      )
    )

  /** Makes a change and returns the link's card, headed `done` if it changed and `already` if not. */
  const changed = (
    change: Effect.Effect<ChangedLink, LinkNotFound | StoreUnavailable>,
    [done, already]: readonly [done: string, already: string]
  ) =>
    change.pipe(
      Effect.catchTag("LinkNotFound", () => linkGone),
      Effect.map(({ link, undo }) =>
        cardOf(link, {
          head: text(Option.isSome(undo) ? done : already),
          undo: Option.getOrUndefined(undo)
        })
      )
    )

  const changing =
    (change: (id: LinkId) => ReturnType<typeof changes.share>, said: readonly [string, string]): Handler =>
    (command) =>
      replyAboutLink(command, ({ id }) => changed(change(id), said))

  /** Starts a job outside the reply's transaction, because the job's work must not run in it. */
  const startJob =
    (start: Effect.Effect<Job, StoreUnavailable>): Handler =>
    (command) =>
      Effect.map(start, (started) =>
        Effect.as(
          reports.started(started, command),
          command.hasLinks
            ? { content: { html: text(`/${command.name} always covers the whole library.`) } }
            : {}
        )
      )

  const recategorizeHandler: Handler = (command) => {
    const words = new Set(command.words.toLowerCase().split(/\s+/).filter(Boolean))
    const options = { all: words.delete("all"), otherModel: words.delete("model") }
    return words.size === 0
      ? answered(
          Effect.map(recategorize.estimate(options), (estimate) => recategorizeQuestion(estimate, options))
        )
      : userError(
          "Send /recategorize alone, or with a word:\nall – also the categories you set yourself\nmodel – only links that another model summarized"
        )
  }

  const move: Handler = (command) =>
    withoutPreparation(
      Effect.gen(function* () {
        const { link, rest } = yield* findLink(command, true)
        if (rest.trim() === "") return { content: yield* collections.picker(link, 0), about: [link] }
        const name = rest.trim() === "-" ? null : Option.getOrUndefined(normalizeCollectionName(rest))
        if (name === undefined)
          return yield* userError("A collection’s name can have up to 100 characters. Send a shorter one.")
        const content =
          name === null
            ? yield* changed(changes.move(link.id, null), [
                "Now in no collection.",
                "Already in no collection."
              ])
            : yield* collections.moveTo(link.id, name)
        return { content, about: [link] }
      })
    )

  const note: Handler = (command) =>
    withoutPreparation(
      Effect.gen(function* () {
        const { link, rest } = yield* findLink(command, true)
        if (rest.trim() === "") {
          const [content, ...more] = Replies.noteOf(link)
          return { content, about: [link], more }
        }
        if (rest.trim() === "-") {
          const emptied = yield* changed(changes.note(link.id, ""), [
            "Note emptied.",
            "The note is already empty."
          ])
          return { content: emptied, about: [link] }
        }
        const said = readNote(rest)
        const now = yield* changes.addNote(link, said)
        return { content: Replies.notedReply(link, now, said), about: [now] }
      })
    )

  const title: Handler = (command) =>
    withoutPreparation(
      Effect.gen(function* () {
        const { link, rest } = yield* findLink(command, true)
        const given = oneLine(rest)
        if (given === "") return yield* userError(`Add the title: /title ${link.id} A better name`)
        if (given.length > MAX_TITLE)
          return yield* userError(`A title can have up to ${MAX_TITLE} characters. Send a shorter one.`)
        const done = "Title changed."
        return { content: yield* changed(changes.title(link.id, given), [done, done]), about: [link] }
      })
    )

  const tag: Handler = (command) =>
    Effect.gen(function* () {
      const { link, rest } = yield* findLink(command, true)
      const wanted = tagsOf(rest)
      if (wanted.add.length + wanted.remove.length > 0)
        return Effect.gen(function* () {
          const absent = Array.difference(wanted.remove, link.tags)
          const lacks = absent.length === 0 ? "" : ` The link doesn’t have the tag ${absent.join(", ")}.`
          const content = yield* changed(changes.tag(link.id, wanted), [
            `Tags changed.${lacks}`,
            `No tags changed.${lacks}`
          ])
          return { content, about: [link] }
        })
      if (rest.trim() !== "") return yield* userError(`Add the tags: /tag ${link.id} effect -draft`)
      return Effect.map(yield* tags.prepare(link), (content) => ({ content, about: [link] }))
    })

  const recalled: Handler = ({ args, chatId }) => {
    const word = args.trim().toLowerCase()
    if (word === "weekly" || word === "off")
      return withoutPreparation(
        Effect.as(weekly.set(chatId, word === "weekly"), {
          content: {
            html: text(
              word === "weekly"
                ? "I’ll send three highlights from earlier every week. Stop: /highlights off"
                : "No weekly highlights."
            )
          }
        })
      )
    if (word !== "") return userError("Send /highlights, /highlights weekly or /highlights off.")
    return Effect.gen(function* () {
      const chosen = yield* weekly.choose
      const isWeekly = yield* weekly.isOn(chatId)
      const footer = isWeekly ? WEEKLY_FOOTER : "Every week: /highlights weekly"
      return Effect.succeed({
        content:
          chosen.length === 0
            ? {
                html: text(
                  "No highlights are older than a month yet. Highlight a passage in the reader, or reply to one of my messages with a quote of it."
                )
              }
            : recalledContent(chosen, footer)
      })
    })
  }

  const recent: Handler = ({ args }) => {
    const size = args === "" ? PAGE : /^\d{1,3}$/.test(args) ? Number(args) : 0
    return size < 1 || size > MAX_PAGE
      ? userError(`Give a number from 1 to ${MAX_PAGE}: /recent 10`)
      : list(lists.find({}, { head: (total) => (total === 0 ? NOTHING_SAVED : "Latest links"), size }))
  }

  const handlers: Record<CommandName, Handler> = {
    find: ({ args }) =>
      args === "" ? userError("Add some words: /find vector databases") : list(lists.search(args, false)),
    recent,
    favorites: listOf({ favorite: true }, "No favorites yet. Tap ☆ on a card", (total) =>
      count(total, "favorite")
    ),
    unread: listOf(only("unread"), "Nothing left to read", (total) => count(total, "unread link")),
    broken: listOf(
      only("broken"),
      "No page is gone",
      (total) => `${count(total, "link")} whose ${total === 1 ? "page is" : "pages are"} gone`
    ),
    inbox: () =>
      list(
        Effect.gen(function* () {
          const found = yield* lists.find(
            { collection: null },
            { head: (total) => `${count(total, "link")} in no collection` }
          )
          if (found.ids.length > 0) return found
          const isEmpty = Option.isNone(yield* links.random)
          return { ...found, head: isEmpty ? NOTHING_SAVED : "Inbox empty: every link is in a collection" }
        })
      ),
    random: () =>
      Effect.map(
        links.random,
        Option.match({
          onNone: () => userError(`${NOTHING_SAVED}.`),
          onSome: (link) => Effect.succeed({ content: cardOf(link), about: [link] })
        })
      ),
    highlights: recalled,
    similar: (command) => Effect.flatMap(findLink(command, false), ({ link }) => list(lists.similar(link))),
    collections: () => answered(collections.overview(0)),
    tag,
    title,
    saved: ({ args }) =>
      args === ""
        ? answered(saved.overview(0))
        : Effect.flatMap(saved.named(args), (search) => list(lists.ofSaved(search))),
    note,
    move,
    share: changing(
      (id) => changes.share(id, true),
      ["Now on the public list.", "Already on the public list."]
    ),
    refresh: (command) => {
      if (command.words.toLowerCase() === "model") return startJob(refresh.startOtherModels)(command)
      return findLink(command, false).pipe(
        Effect.flatMap(({ link }) => refresh.start(link.id)),
        Effect.catchTag("LinkNotFound", () => linkGone),
        Effect.map((started) => Effect.as(reports.started(started, command), {}))
      )
    },
    read: (command) =>
      Effect.gen(function* () {
        const isNext = command.args === "" && command.replyTo === null
        const { link } = isNext ? { link: yield* reading.nextUnread() } : yield* findLink(command, false)
        const { messages } = yield* reading.read(command, link)
        const [content, ...more] = messages
        return Effect.succeed({ content, about: [link], more })
      }),
    epub: (command) =>
      Effect.gen(function* () {
        const { link } = yield* findLink(command, false)
        const content = yield* reading.epub(command, link)
        return Effect.succeed({ content, about: [link] })
      }),
    done: changing((id) => changes.setState(id, "read"), ["Marked as read.", "Already read."]),
    archive: changing((id) => changes.setState(id, "archived"), ["Archived.", "Already archived."]),
    delete: (command) =>
      replyAboutLink(command, (link) =>
        link.deletedAt === undefined
          ? changes.trash(link.id).pipe(
              Effect.catchTag("LinkNotFound", () => linkGone),
              Effect.map((undo) => trashedReply(link, undo))
            )
          : Effect.succeed(deleteQuestion(link))
      ),
    trash: listOf(only("trashed"), "The trash is empty", (total) => `${count(total, "link")} in the trash`),
    undo: () =>
      withoutPreparation(
        Effect.gen(function* () {
          const last = yield* changes.undoLast
          switch (last._tag) {
            case "Nothing":
              return yield* userError("Nothing left to undo.")
            case "UrlTaken":
              return yield* userError(last.error.message)
            case "ChangedSince":
              return { content: Replies.changedSinceReply(last.error, last.token) }
            case "Final":
              return { content: Replies.finalReply(last.change, last.before) }
            case "Undone": {
              const { link } = last.undone
              return {
                content: Replies.undoneReply(last.undone),
                about: link === undefined ? [] : [link]
              }
            }
          }
        })
      ),
    retry: startJob(retries.start),
    organize: startJob(organize.start({ dryRun: true })),
    recategorize: recategorizeHandler,
    dupes: startJob(duplicates.start),
    export: (command) => answered(files.export(command, command.words)),
    backup: (command) => answered(files.backup(command)),
    import: say(Replies.importReply),
    stats: () => answered(Effect.map(links.counts, (counts) => ({ html: Replies.statsReply(counts) }))),
    // A message with a link after /save is a save, not a command.
    save: say(Replies.hintReply("nothing-to-save")),
    start: say(Replies.welcomeReply),
    help: () => answered(Effect.map(profile.inlineName, Replies.helpReply))
  }

  const unknown: Handler = ({ name }) =>
    answered(
      Effect.map(
        Effect.orElseSucceed(ownAddress, () => ""),
        (address) => ({ html: Replies.unknownCommandReply(name, address) })
      )
    )

  return {
    /** Runs a command and replies, also to one that is unknown. Links in a command are never saved. */
    answer: Effect.fn("CommandReplies.answer")((id: number, command: Command) => {
      const handler = Option.match(commandNamed(command.name), {
        onNone: () => unknown,
        onSome: (name) => handlers[name]
      })
      const ignoresLinks = command.hasLinks && !takesText(command.name)
      const withNotice = (html: Html) => (ignoresLinks ? lines([html, Replies.linksIgnored]) : html)
      const work = Effect.map(handler(command), (commit) =>
        Effect.flatMap(commit, ({ about, content, more = [] }) => {
          if (content === undefined)
            return ignoresLinks ? reply(command, { html: Replies.linksIgnored }) : Effect.void
          return Effect.zipRight(
            reply(command, { ...content, html: withNotice(content.html) }, about),
            Effect.forEach(more, (next) => reply(command, next, about), { discard: true })
          )
        })
      )
      return settlePrepared(id, work, ({ html }) => reply(command, { html: withNotice(html) }))
    })
  }
})
