import { Cause, Effect, Option } from "effect"
import { ChangedSince, UndoNotFound, UrlTaken } from "../domain/Change.ts"
import type { Job } from "../domain/Job.ts"
import type { Link, LinkId, LinkNotFound } from "../domain/Link.ts"
import type { MessageRef } from "../domain/Messages.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { type ChangedLink, ChatChanges, type Undone } from "../library/ChatChanges.ts"
import { ChatMemory } from "../library/ChatMemory.ts"
import { Duplicates } from "../library/Duplicates.ts"
import { HeldImports } from "../library/HeldImports.ts"
import { Jobs } from "../library/Jobs.ts"
import { LinkQueries } from "../library/LinkQueries.ts"
import { Organize } from "../library/Organize.ts"
import { Recategorize } from "../library/Recategorize.ts"
import { Refresh } from "../library/Refresh.ts"
import type { ResultList } from "../library/ResultLists.ts"
import { type ButtonAction, decode, makeDoublePressGuard } from "./Buttons.ts"
import { cardOf, deleteQuestion, linkLine, trashedReply } from "./Card.ts"
import { undoneSentence } from "./ChangeNames.ts"
import { Chat } from "./Chat.ts"
import {
  type Content,
  concat,
  lines,
  linkGone,
  type Prepared,
  stripMarkup,
  text,
  UserError,
  userError,
  withoutPreparation
} from "./Content.ts"
import { groupsOf, JobReports, mergeQuestion, outdatedReply } from "./JobReports.ts"
import { makeChatLists, makeCollections, makeSavedSearches } from "./Lists.ts"
import { makeReadingCommands } from "./ReadingCommands.ts"
import { changedSinceReply, commandsReply, undoneReply } from "./Replies.ts"
import type { ReplyContext } from "./ReplyContext.ts"
import { SignInQuestions } from "./SignInQuestions.ts"
import { makeTagKeyboard } from "./TagKeyboard.ts"
import type { ChatUpdate } from "./Update.ts"

type Callback = Extract<ChatUpdate, { readonly _tag: "Callback" }>

/** The short notice shown after a button press; null for none. */
type Notice = string | null

const withoutNotice = <E>(work: Effect.Effect<void, E>): Effect.Effect<Notice, E> => Effect.as(work, null)

const showing = (work: Effect.Effect<void, UserError | StoreUnavailable>): Prepared<Notice> =>
  withoutPreparation(withoutNotice(work))

type Show = (content: Content, about?: ReadonlyArray<Link>) => Effect.Effect<void, StoreUnavailable>

interface CallbackMessage {
  readonly editable: boolean
  /** Where to show a result: `messageId` is the message to edit, or null if it can no longer be edited. */
  readonly place: { readonly chatId: number; readonly messageId: number | null }
  /** The message, by which a file for it is named; 0 if it is unknown. */
  readonly ref: MessageRef
  /** Replaces the message, or sends a new one if it can no longer be edited. */
  readonly replaceWith: Show
  readonly replyWith: Show
}

/** Shows a job in the message of the pressed button, whose notice is `first` unless a chat waits for the job already. */
const startedIn =
  (reports: JobReports["Type"], { place }: CallbackMessage) =>
  (first: string, again: (job: Job) => string = () => "Already running") =>
  (job: Job): Effect.Effect<Notice, StoreUnavailable> =>
    Effect.map(reports.startedFromButton(job, place), (isFirst) => (isFirst ? first : again(job)))

/** Explains a refused undo; `show` offers to overwrite later changes. */
const explainingUndo =
  (token: string, show: Show) =>
  <E>(work: Effect.Effect<Notice, E | UndoNotFound | UrlTaken | ChangedSince>) =>
    Effect.catchAll(work, (error): Effect.Effect<Notice, E | UserError | StoreUnavailable> => {
      if (error instanceof ChangedSince) return withoutNotice(show(changedSinceReply(error, token)))
      return error instanceof UndoNotFound || error instanceof UrlTaken
        ? userError(error.message)
        : Effect.fail(error)
    })

const callbackMessageOf = (
  { replace, reply }: Pick<ReplyContext, "replace" | "reply">,
  { chatId, editable, messageId }: Callback
): CallbackMessage => {
  const place = { chatId, messageId: editable ? messageId : null }
  return {
    editable: place.messageId !== null,
    place,
    ref: { chatId, messageId: messageId ?? 0 },
    replaceWith: (content, about) => replace(place, content, about),
    replyWith: (content, about) =>
      messageId === null
        ? replace({ chatId, messageId }, content, about)
        : reply({ chatId, messageId }, content, about)
  }
}

type LinkPress = Extract<ButtonAction, { readonly id: LinkId; readonly job?: never }>

const makeLinkActions = Effect.gen(function* () {
  const changes = yield* ChatChanges
  const collections = yield* makeCollections
  const links = yield* LinkQueries
  const lists = yield* makeChatLists
  const refresh = yield* Refresh
  const reports = yield* JobReports
  const tags = yield* makeTagKeyboard
  const reading = yield* makeReadingCommands

  const linkOf = (id: LinkId) => Effect.mapError(links.get(id), () => linkGone)
  const linkAnywhere = (id: LinkId) => Effect.mapError(links.getAnywhere(id), () => linkGone)

  const withLink = (
    { id }: LinkPress,
    work: (link: Link) => Effect.Effect<Notice, UserError | StoreUnavailable>
  ) => withoutPreparation(Effect.flatMap(linkOf(id), work))

  const showCard = (message: CallbackMessage, link: Link, undo?: string) =>
    message.replaceWith(cardOf(link, { undo }), [link])

  const changed = (
    message: CallbackMessage,
    change: Effect.Effect<ChangedLink, LinkNotFound | StoreUnavailable>,
    notice: string
  ): Prepared<Notice> =>
    withoutPreparation(
      Effect.gen(function* () {
        const { link, undo } = yield* Effect.catchTag(change, "LinkNotFound", () => linkGone)
        yield* showCard(message, link, Option.getOrUndefined(undo))
        return notice
      })
    )

  const move = (message: CallbackMessage, id: LinkId, collection: number | null): Prepared<Notice> =>
    Effect.flatMap(collections.all, (all) => {
      const name = collection === null ? null : all.find((one) => one.id === collection)?.name
      return name === undefined
        ? userError("This collection was deleted.")
        : changed(message, changes.move(id, name), name === null ? "Now in no collection" : `Now in ${name}`)
    })

  const act = (message: CallbackMessage, press: LinkPress): Prepared<Notice> => {
    const toggled = (change: ReturnType<typeof changes.favorite>, notice: string) =>
      changed(message, Effect.map(change, withoutUndo), notice)
    switch (press._tag) {
      case "Favorite":
        return toggled(
          changes.favorite(press.id, press.on),
          press.on ? "Added to favorites" : "Removed from favorites"
        )
      case "Share":
        return toggled(
          changes.share(press.id, press.on),
          press.on ? "Now on the public list" : "Removed from the public list"
        )
      case "Move":
        return move(message, press.id, press.collection)
      case "Collections":
        return withLink(press, (link) =>
          withoutNotice(
            Effect.flatMap(collections.picker(link, press.page), (content) =>
              message.replaceWith(content, [link])
            )
          )
        )
      case "AskCollection":
        return withLink(press, (link) =>
          Effect.gen(function* () {
            // Replaces the list of collections with the card, if the message can still be edited.
            if (message.editable) yield* showCard(message, link)
            yield* message.replyWith({
              html: concat(
                text("Which collection does "),
                linkLine(link),
                text(" belong in? Reply with its name.")
              ),
              asks: { linkId: link.id, what: "collection" }
            })
            return null
          })
        )
      case "Card":
        return withLink(press, (link) => withoutNotice(showCard(message, link)))
      case "Show":
        return withLink(press, (link) => withoutNotice(message.replyWith(cardOf(link), [link])))
      case "State":
        return toggled(
          changes.setState(press.id, press.state),
          { unread: "Marked as unread", read: "Marked as read", archived: "Archived" }[press.state]
        )
      case "Delete":
        return withLink(press, (link) =>
          Effect.gen(function* () {
            const undo = yield* Effect.catchTag(changes.trash(link.id), "LinkNotFound", () => linkGone)
            yield* message.replaceWith(trashedReply(link, undo), [link])
            return "Moved to the trash"
          })
        )
      case "Tags":
        return Effect.gen(function* () {
          const link = yield* linkOf(press.id)
          const keyboard = yield* tags.prepare(link)
          return withoutNotice(Effect.flatMap(keyboard, (content) => message.replaceWith(content, [link])))
        })
      case "Tag":
        return withoutPreparation(
          Effect.gen(function* () {
            const { id, index, list, on } = press
            const tag = Option.getOrUndefined(yield* tags.tagAt(list, index))
            if (tag === undefined) return yield* userError("These tags have expired. Press 🏷 Tags again.")
            const change = changes.tag(id, on ? { add: [tag], remove: [] } : { add: [], remove: [tag] })
            const { link } = yield* Effect.catchTag(change, "LinkNotFound", () => linkGone)
            yield* message.replaceWith(yield* tags.again(link, list), [link])
            return on ? `Added ${tag}` : `Removed ${tag}`
          })
        )
      case "Refuse":
        return changed(message, changes.refuse(press.id), "Removed. I won’t file it there again.")
      case "Trashed":
        return showing(
          Effect.flatMap(linkAnywhere(press.id), (link) =>
            link.deletedAt === undefined
              ? showCard(message, link)
              : message.replaceWith(trashedReply(link), [link])
          )
        )
      case "AskForGood":
        return showing(
          Effect.flatMap(linkAnywhere(press.id), (link) => message.replaceWith(deleteQuestion(link), [link]))
        )
      case "DeleteForGood":
        return withoutPreparation(
          Effect.gen(function* () {
            yield* Effect.catchTag(changes.remove(press.id), "LinkNotFound", () => linkGone)
            yield* message.replaceWith({ html: text(`Deleted #${press.id} forever.`) })
            return "Deleted forever"
          })
        )
      case "Restore":
        return withoutPreparation(
          Effect.gen(function* () {
            const { link } = yield* changes.restore(press.id)
            yield* (press.fromList ? message.replyWith : message.replaceWith)(cardOf(link), [link])
            return "Restored"
          }).pipe(
            Effect.catchTags({
              LinkNotFound: () => linkGone,
              UrlTaken: ({ message }) => userError(message)
            })
          )
        )
      case "Similar":
        return Effect.map(Effect.flatMap(linkOf(press.id), lists.similar), (list) =>
          list.ids.length === 0
            ? Effect.succeed("Nothing similar yet")
            : withoutNotice(Effect.flatMap(lists.open(list), (content) => message.replyWith(content)))
        )
      case "Undo":
        return withoutPreparation(
          Effect.gen(function* () {
            yield* changes.undo(press.token)
            yield* showCard(message, yield* linkOf(press.id))
            return "Undone"
          }).pipe(explainingUndo(press.token, message.replyWith))
        )
      case "Read":
        return Effect.gen(function* () {
          const { link, messages } = yield* Effect.flatMap(linkOf(press.id), (link) =>
            reading.read(message.ref, link)
          )
          return withoutNotice(
            Effect.forEach(messages, (content) => message.replyWith(content, [link]), { discard: true })
          )
        })
      case "Epub":
        return Effect.gen(function* () {
          const link = yield* linkOf(press.id)
          const content = yield* reading.epub(message.ref, link)
          return withoutNotice(message.replyWith(content, [link]))
        })
      case "Refresh":
        return refresh.start(press.id).pipe(
          Effect.catchTag("LinkNotFound", () => linkGone),
          Effect.map(startedIn(reports, message)("Reading the page again…"))
        )
    }
  }

  /** Tells a link in the trash from one that was deleted for good. */
  const orInTrash = <A, E>(id: LinkId, work: Effect.Effect<A, E | UserError>) =>
    Effect.catchIf(
      work,
      // Not the error itself: a trace puts a proxy around it.
      (error) => error instanceof UserError && error.html === linkGone.html,
      () =>
        Effect.flatMap(linkAnywhere(id), ({ deletedAt }) =>
          deletedAt === undefined ? linkGone : userError(`Link #${id} is in the trash. /trash lists it.`)
        )
    )

  return (message: CallbackMessage, press: LinkPress): Prepared<Notice> =>
    Effect.map(orInTrash(press.id, act(message, press)), (work) => orInTrash(press.id, work))
})

/** Drops the undo token, because pressing the button again undoes the change. */
const withoutUndo = ({ link }: ChangedLink): ChangedLink => ({ link, undo: Option.none() })

type ListPress = Exclude<ButtonAction, LinkPress>

const makeListActions = Effect.gen(function* () {
  const changes = yield* ChatChanges
  const collections = yield* makeCollections
  const held = yield* HeldImports
  const jobs = yield* Jobs
  const lists = yield* makeChatLists
  const merges = yield* Duplicates
  const organize = yield* Organize
  const recategorize = yield* Recategorize
  const reports = yield* JobReports
  const questions = yield* SignInQuestions
  const saved = yield* makeSavedSearches

  const jobOf = (id: number) => Effect.mapError(jobs.get(id), () => userError("This report has expired."))

  /** The current group of duplicates that a job found this link in. */
  const groupOf = Effect.fnUntraced(function* ({
    id,
    job
  }: Extract<ListPress, { readonly _tag: "Merge" | "MergeForGood" }>) {
    const groups = groupsOf(yield* jobs.shown(yield* jobOf(job)))
    const group = groups.find(({ links }) => links.some((link) => link.id === id))
    return group ?? (yield* userError("Nothing left to merge."))
  })

  const showUndone = (message: CallbackMessage, undone: Undone) =>
    message.replaceWith(undoneReply(undone), undone.link === undefined ? [] : [undone.link])

  return (message: CallbackMessage, press: ListPress): Prepared<Notice> => {
    const started = startedIn(reports, message)
    const opened = (list: ResultList) =>
      withoutNotice(Effect.flatMap(lists.open(list), (content) => message.replyWith(content)))
    switch (press._tag) {
      case "List":
        return withoutPreparation(
          Effect.flatMap(
            lists.page(press.list, press.page),
            Option.match({
              onNone: (): Effect.Effect<Notice, UserError | StoreUnavailable> =>
                userError("This list has expired. Send the command again."),
              onSome: (content) => withoutNotice(message.replaceWith(content))
            })
          )
        )
      case "SaveOffer":
        return userError("This button has expired. Send the address on its own to save it.")
      case "AllCollections":
        return showing(
          Effect.flatMap(collections.overview(press.page), (content) => message.replaceWith(content))
        )
      case "OpenCollection":
        return Effect.flatMap(collections.all, (all) => {
          const collection = all.find(({ id }) => id === press.collection)
          return collection === undefined
            ? userError("This collection was deleted.")
            : Effect.map(lists.ofCollection(collection), opened)
        })
      case "AllSaved":
        return showing(Effect.flatMap(saved.overview(press.page), (content) => message.replaceWith(content)))
      case "OpenSaved":
        return Effect.flatMap(saved.all, (all) => {
          const search = all.find(({ id }) => id === press.search)
          return search === undefined
            ? userError("This saved search was deleted.")
            : Effect.map(lists.ofSaved(search), opened)
        })
      case "Merge":
        return showing(
          Effect.flatMap(groupOf(press), (group) => message.replaceWith(mergeQuestion(press.job, group)))
        )
      case "MergeForGood":
        return withoutPreparation(
          Effect.gen(function* () {
            const { links } = yield* groupOf(press)
            const others = links.map(({ id }) => id).filter((id) => id !== press.id)
            const { undo } = yield* Effect.catchTag(
              merges.merge(press.id, others),
              "LinkNotFound",
              () => linkGone
            )
            yield* changes.record(undo, { kind: "merge", id: press.id, others })
            yield* message.replaceWith(yield* reports.report(yield* jobOf(press.job)))
            return `Merged into #${press.id}`
          })
        )
      case "Report":
        return withoutPreparation(
          Effect.flatMap(jobOf(press.job), (job) =>
            withoutNotice(Effect.flatMap(reports.report(job), (content) => message.replaceWith(content)))
          )
        )
      case "UndoJob":
        return withoutPreparation(
          Effect.gen(function* () {
            const job = yield* jobOf(press.job)
            if (job.undo === null) return yield* userError("This can no longer be undone.")
            const token = job.undo
            return yield* Effect.gen(function* () {
              const undone = yield* changes.undo(token)
              const { html } = yield* reports.report(yield* jobOf(press.job))
              yield* message.replaceWith({ html: lines([html, text(`↩ ${undoneSentence(undone)}`)]) })
              return "Undone"
            }).pipe(explainingUndo(token, message.replyWith))
          })
        )
      case "UndoChange":
      case "UndoAnyway":
        return withoutPreparation(
          changes.undo(press.token, press._tag === "UndoAnyway").pipe(
            Effect.tap((undone) => showUndone(message, undone)),
            Effect.as("Undone"),
            explainingUndo(press.token, message.replaceWith)
          )
        )
      case "Import": {
        const gone = userError("I no longer have this file. Send it again.")
        return press.on
          ? held.confirm(press.held).pipe(
              Effect.catchTag("HeldGone", () => gone),
              Effect.map(
                started("Importing…", ({ state }) =>
                  state === "running" ? "Already importing" : "Already imported"
                )
              )
            )
          : withoutPreparation(
              Effect.gen(function* () {
                yield* Effect.catchTag(held.discard(press.held), "HeldGone", () => gone)
                yield* message.replaceWith({ html: text("Cancelled. Nothing was imported.") })
                return "Cancelled"
              })
            )
      }
      case "FilePreview":
        return organize.accept(press.job).pipe(
          Effect.map(started("Filing…")),
          Effect.catchTags({
            JobNotFound: () => userError("This preview has expired. Send /organize again."),
            PreviewOutdated: (outdated) =>
              Effect.succeed(Effect.as(message.replaceWith({ html: outdatedReply(outdated) }), "Out of date"))
          })
        )
      case "DropPreview":
        return withoutPreparation(
          Effect.as(message.replaceWith({ html: text("Cancelled. Nothing was filed.") }), null)
        )
      case "Recategorize":
        return press.on
          ? Effect.map(recategorize.start(press.scope), started("Recategorizing…"))
          : withoutPreparation(
              Effect.as(message.replaceWith({ html: text("Cancelled. No category was changed.") }), null)
            )
      case "AllCommands":
        return showing(message.replaceWith({ html: commandsReply }))
      case "SignIn":
        return withoutPreparation(
          Effect.gen(function* () {
            const { allow, token } = press
            const { chatId } = message.place
            const { content, notice } = yield* questions.answer({ token, allow, chatId })
            yield* message.replaceWith(content)
            return notice
          })
        )
    }
  }
})

const isAboutLink = (press: ButtonAction): press is LinkPress => "id" in press && !("job" in press)

export const makeButtonActions = Effect.fnUntraced(function* (context: ReplyContext) {
  const chat = yield* Chat
  const memory = yield* ChatMemory
  const ofLink = yield* makeLinkActions
  const ofList = yield* makeListActions
  const isDoublePress = makeDoublePressGuard()

  /** Fails for a button of an earlier version, and names the link of its message. */
  const expired = ({ chatId, messageId }: Callback): Prepared<Notice> =>
    Effect.flatMap(
      messageId === null ? Effect.succeedNone : memory.linkOf({ chatId, messageId }),
      Option.match({
        onNone: () => userError("This button has expired."),
        onSome: ({ id }) => userError(`This button has expired. Send #${id} for a fresh card.`)
      })
    )

  const workOf = (arrival: number, callback: Callback): Prepared<Notice> => {
    const { chatId, data, messageId } = callback
    if (isDoublePress({ arrival, data, under: `${chatId} ${messageId}` }))
      return withoutPreparation(Effect.succeed(null))
    const message = callbackMessageOf(context, callback)
    return Option.match(decode(data), {
      onNone: () => expired(callback),
      onSome: (press) => (isAboutLink(press) ? ofLink(message, press) : ofList(message, press))
    })
  }

  const acknowledge = ({ id }: Callback, notice: Notice) =>
    notice === null ? chat.acknowledge(id) : chat.acknowledge(id, notice)

  return {
    press: Effect.fn("ButtonActions.press")(
      (arrival: number, callback: Callback): Effect.Effect<void, StoreUnavailable> =>
        context
          .settlePrepared(
            arrival,
            Effect.suspend(() => workOf(arrival, callback)),
            ({ html }) => Effect.succeed<Notice>(stripMarkup(html.html))
          )
          .pipe(
            Effect.tapErrorCause((cause) =>
              Cause.isInterruptedOnly(cause)
                ? Effect.void
                : acknowledge(callback, "Something went wrong. I’ll try again.")
            ),
            Effect.flatMap((notice) => acknowledge(callback, notice))
          )
    )
  }
})
