import { Cause, Effect, Match, Option } from "effect"
import { ChangedSince, UndoNotFound, UrlTaken } from "../domain/Change.ts"
import type { Job } from "../domain/Job.ts"
import { type Link, type LinkId, LinkNotFound } from "../domain/Link.ts"
import type { MessageRef } from "../domain/Messages.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { type ChangedLink, ChatChanges } from "../library/ChatChanges.ts"
import { ChatMemory } from "../library/ChatMemory.ts"
import { Duplicates } from "../library/Duplicates.ts"
import { HeldImports } from "../library/HeldImports.ts"
import { Jobs } from "../library/Jobs.ts"
import { LinkQueries } from "../library/LinkQueries.ts"
import { Organize } from "../library/Organize.ts"
import { Recategorize } from "../library/Recategorize.ts"
import { Refresh } from "../library/Refresh.ts"
import type { ResultList } from "../library/ResultLists.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import { type ButtonAction, decode, makeDoublePressGuard } from "./Buttons.ts"
import { cardOf, deleteQuestion, linkLine, trashedReply } from "./Card.ts"
import { undoneSentence } from "./ChangeNames.ts"
import { Chat } from "./Chat.ts"
import {
  type Content,
  concat,
  type Html,
  lines,
  linkGone,
  type Outcome,
  type Prepared,
  stripMarkup,
  text,
  UserError,
  userError,
  withoutPreparation
} from "./Content.ts"
import { groupsOf, JobReports, mergeQuestion, outdatedReply } from "./JobReports.ts"
import { makeChatLists, makeCollections, makeSavedSearches, makeTagKeyboard } from "./Lists.ts"
import { makeReadingCommands } from "./ReadingCommands.ts"
import { changedSinceReply, commandsReply, undoneReply } from "./Replies.ts"
import type { ReplyContext } from "./ReplyContext.ts"
import { SignInQuestions } from "./SignInQuestions.ts"
import type { ChatUpdate } from "./Update.ts"

type Callback = Extract<ChatUpdate, { readonly _tag: "Callback" }>

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

/** Shows what a press has come to; returns the notice. */
const show = Effect.fnUntraced(function* (
  message: CallbackMessage,
  { about, below = false, content, more = [], notice }: Outcome
) {
  if (content !== undefined) yield* (below ? message.replyWith : message.replaceWith)(content, about)
  yield* Effect.forEach(more, (next) => message.replyWith(next, about), { discard: true })
  return notice
})

/** Shows a job in the message of the pressed button, whose notice is `first` unless a chat waits for the job already. */
const startedIn =
  (reports: JobReports["Type"], { place }: CallbackMessage) =>
  (first: string, again: (job: Job) => string = () => "Already running") =>
  (job: Job): Effect.Effect<Outcome, StoreUnavailable> =>
    Effect.map(reports.startedFromButton(job, place), (isFirst) => ({ notice: isFirst ? first : again(job) }))

/** Explains a refused undo, and offers to overwrite later changes. */
const explainingUndo =
  (token: string, where: Pick<Outcome, "below"> = {}) =>
  <E>(work: Effect.Effect<Outcome, E | UndoNotFound | UrlTaken | ChangedSince>) =>
    Effect.catchAll(work, (error): Effect.Effect<Outcome, E | UserError> => {
      if (error instanceof ChangedSince)
        return Effect.succeed({ content: changedSinceReply(error, token), ...where })
      return error instanceof UndoNotFound || error instanceof UrlTaken
        ? userError(error.message)
        : Effect.fail(error)
    })

const saying = (html: Html, notice?: string) =>
  withoutPreparation(Effect.succeed({ content: { html }, notice }))

const orGone = <A, E>(work: Effect.Effect<A, E | LinkNotFound>) =>
  Effect.catchIf(
    work,
    (error) => error instanceof LinkNotFound,
    () => linkGone
  )

type LinkPress = Extract<ButtonAction, { readonly id: LinkId; readonly job?: never }>

const makeLinkActions = Effect.gen(function* () {
  const changes = yield* ChatChanges
  const collections = yield* makeCollections
  const links = yield* LinkStore
  const { getAnywhere } = yield* LinkQueries
  const lists = yield* makeChatLists
  const refresh = yield* Refresh
  const reports = yield* JobReports
  const tags = yield* makeTagKeyboard
  const reading = yield* makeReadingCommands

  const linkOf = (id: LinkId) => Effect.mapError(links.get(id), () => linkGone)
  const linkAnywhere = (id: LinkId) => Effect.mapError(getAnywhere(id), () => linkGone)

  const cardFor = (link: Link, undo?: string): Outcome => ({ content: cardOf(link, { undo }), about: [link] })

  const changed = (change: Effect.Effect<ChangedLink, LinkNotFound | StoreUnavailable>, notice: string) =>
    withoutPreparation(
      Effect.map(orGone(change), ({ link, undo }) => ({
        ...cardFor(link, Option.getOrUndefined(undo)),
        notice
      }))
    )
  /** Without an undo token: pressing the button again undoes the change. */
  const toggled = (change: ReturnType<typeof changes.favorite>, notice: string) =>
    changed(
      Effect.map(change, ({ link }) => ({ link, undo: Option.none() })),
      notice
    )

  const actionsIn = (message: CallbackMessage) =>
    Match.typeTags<LinkPress, Prepared<Outcome>>()({
      Favorite: ({ id, on }) =>
        toggled(changes.favorite(id, on), on ? "Added to favorites" : "Removed from favorites"),
      Share: ({ id, on }) =>
        toggled(changes.share(id, on), on ? "Now on the public list" : "Removed from the public list"),
      State: ({ id, state }) =>
        toggled(
          changes.setState(id, state),
          { unread: "Marked as unread", read: "Marked as read", archived: "Archived" }[state]
        ),
      Move: ({ collection, id }) =>
        Effect.flatMap(collections.all, (all) => {
          const name = collection === null ? null : all.find((one) => one.id === collection)?.name
          return name === undefined
            ? userError("This collection was deleted.")
            : changed(changes.move(id, name), name === null ? "Now in no collection" : `Now in ${name}`)
        }),
      Collections: ({ id, page }) =>
        withoutPreparation(
          Effect.flatMap(linkOf(id), (link) =>
            Effect.map(collections.picker(link, page), (content) => ({ content, about: [link] }))
          )
        ),
      AskCollection: ({ id }) =>
        withoutPreparation(
          Effect.gen(function* () {
            const link = yield* linkOf(id)
            // Replaces the list of collections with the card, if the message can still be edited.
            if (message.editable) yield* show(message, cardFor(link))
            const question = concat(
              text("Which collection does "),
              linkLine(link),
              text(" belong in? Reply with its name.")
            )
            return { content: { html: question, asks: { linkId: id, what: "collection" } }, below: true }
          })
        ),
      Card: ({ id }) => withoutPreparation(Effect.map(linkOf(id), (link) => cardFor(link))),
      Show: ({ id }) =>
        withoutPreparation(Effect.map(linkOf(id), (link) => ({ ...cardFor(link), below: true }))),
      Delete: ({ id }) =>
        withoutPreparation(
          Effect.gen(function* () {
            const link = yield* linkOf(id)
            const undo = yield* orGone(changes.trash(id))
            return { content: trashedReply(link, undo), about: [link], notice: "Moved to the trash" }
          })
        ),
      Tags: ({ id }) =>
        Effect.gen(function* () {
          const link = yield* linkOf(id)
          const keyboard = yield* tags.prepare(link)
          return Effect.map(keyboard, (content) => ({ content, about: [link] }))
        }),
      Tag: ({ id, index, list, on }) =>
        withoutPreparation(
          Effect.gen(function* () {
            const tag = Option.getOrUndefined(yield* tags.tagAt(list, index))
            if (tag === undefined) return yield* userError("These tags have expired. Press 🏷 Tags again.")
            const change = changes.tag(id, on ? { add: [tag], remove: [] } : { add: [], remove: [tag] })
            const { link } = yield* orGone(change)
            const content = yield* tags.again(link, list)
            return { content, about: [link], notice: on ? `Added ${tag}` : `Removed ${tag}` }
          })
        ),
      Refuse: ({ id }) => changed(changes.refuse(id), "Removed. I won’t file it there again."),
      Trashed: ({ id }) =>
        withoutPreparation(
          Effect.map(linkAnywhere(id), (link) =>
            link.deletedAt === undefined ? cardFor(link) : { content: trashedReply(link), about: [link] }
          )
        ),
      AskForGood: ({ id }) =>
        withoutPreparation(
          Effect.map(linkAnywhere(id), (link) => ({ content: deleteQuestion(link), about: [link] }))
        ),
      DeleteForGood: ({ id }) =>
        withoutPreparation(
          Effect.as(orGone(changes.remove(id)), {
            content: { html: text(`Deleted #${id} forever.`) },
            notice: "Deleted forever"
          })
        ),
      Restore: ({ fromList, id }) =>
        withoutPreparation(
          changes.restore(id).pipe(
            Effect.map(({ link }) => ({ ...cardFor(link), below: fromList, notice: "Restored" })),
            Effect.catchTags({
              LinkNotFound: () => linkGone,
              UrlTaken: ({ message }) => userError(message)
            })
          )
        ),
      Similar: ({ id }) =>
        Effect.map(Effect.flatMap(linkOf(id), lists.similar), (list) =>
          list.ids.length === 0
            ? Effect.succeed({ notice: "Nothing similar yet" })
            : Effect.map(lists.open(list), (content) => ({ content, below: true }))
        ),
      Undo: ({ id, token }) =>
        withoutPreparation(
          Effect.gen(function* () {
            yield* changes.undo(token)
            return { ...cardFor(yield* linkOf(id)), notice: "Undone" }
          }).pipe(explainingUndo(token, { below: true }))
        ),
      Read: ({ id }) =>
        Effect.gen(function* () {
          const { link, messages } = yield* Effect.flatMap(linkOf(id), (link) =>
            reading.read(message.ref, link)
          )
          return Effect.succeed({ more: messages, about: [link] })
        }),
      Epub: ({ id }) =>
        Effect.gen(function* () {
          const link = yield* linkOf(id)
          return Effect.succeed({ more: [yield* reading.epub(message.ref, link)], about: [link] })
        }),
      Refresh: ({ id }) =>
        Effect.map(orGone(refresh.start(id)), startedIn(reports, message)("Reading the page again…"))
    })

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

  return (message: CallbackMessage, press: LinkPress): Prepared<Outcome> =>
    Effect.map(orInTrash(press.id, actionsIn(message)(press)), (work) => orInTrash(press.id, work))
})

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
  const groupOf = Effect.fnUntraced(function* (job: number, id: LinkId) {
    const groups = groupsOf(yield* jobs.shown(yield* jobOf(job)))
    const group = groups.find(({ links }) => links.some((link) => link.id === id))
    return group ?? (yield* userError("Nothing left to merge."))
  })

  const showing = (content: Effect.Effect<Content, UserError | StoreUnavailable>) =>
    withoutPreparation(Effect.map(content, (found): Outcome => ({ content: found })))
  const opened = (list: ResultList): Effect.Effect<Outcome, StoreUnavailable> =>
    Effect.map(lists.open(list), (content) => ({ content, below: true }))

  const undoing = (token: string, isForced: boolean) =>
    withoutPreparation(
      Effect.map(changes.undo(token, isForced), (undone) => ({
        content: undoneReply(undone),
        about: undone.link === undefined ? [] : [undone.link],
        notice: "Undone"
      })).pipe(explainingUndo(token))
    )

  return (message: CallbackMessage) => {
    const started = startedIn(reports, message)
    return Match.typeTags<ListPress, Prepared<Outcome>>()({
      List: ({ list, page }) =>
        showing(
          Effect.flatMap(lists.page(list, page), (content) =>
            Effect.mapError(content, () => userError("This list has expired. Send the command again."))
          )
        ),
      SaveOffer: () => userError("This button has expired. Send the address on its own to save it."),
      AllCollections: ({ page }) => showing(collections.overview(page)),
      OpenCollection: ({ collection }) =>
        Effect.flatMap(collections.all, (all) => {
          const found = all.find(({ id }) => id === collection)
          return found === undefined
            ? userError("This collection was deleted.")
            : Effect.map(lists.ofCollection(found), opened)
        }),
      AllSaved: ({ page }) => showing(saved.overview(page)),
      OpenSaved: ({ search }) =>
        Effect.flatMap(saved.all, (all) => {
          const found = all.find(({ id }) => id === search)
          return found === undefined
            ? userError("This saved search was deleted.")
            : Effect.map(lists.ofSaved(found), opened)
        }),
      Merge: ({ id, job }) => showing(Effect.map(groupOf(job, id), (group) => mergeQuestion(job, group))),
      MergeForGood: ({ id, job }) =>
        withoutPreparation(
          Effect.gen(function* () {
            const { links } = yield* groupOf(job, id)
            const others = links.map((one) => one.id).filter((one) => one !== id)
            const { undo } = yield* orGone(merges.merge(id, others))
            yield* changes.record(undo, { kind: "merge", id, others })
            return { content: yield* reports.report(yield* jobOf(job)), notice: `Merged into #${id}` }
          })
        ),
      Report: ({ job }) => showing(Effect.flatMap(jobOf(job), reports.report)),
      UndoJob: ({ job }) =>
        withoutPreparation(
          Effect.gen(function* () {
            const { undo } = yield* jobOf(job)
            if (undo === null) return yield* userError("This can no longer be undone.")
            return yield* Effect.gen(function* () {
              const undone = yield* changes.undo(undo)
              const { html } = yield* reports.report(yield* jobOf(job))
              return {
                content: { html: lines([html, text(`↩ ${undoneSentence(undone)}`)]) },
                notice: "Undone"
              }
            }).pipe(explainingUndo(undo, { below: true }))
          })
        ),
      UndoChange: ({ token }) => undoing(token, false),
      UndoAnyway: ({ token }) => undoing(token, true),
      Import: ({ held: id, on }) => {
        const gone = () => userError("I no longer have this file. Send it again.")
        const again = ({ state }: Job) => (state === "running" ? "Already importing" : "Already imported")
        return on
          ? Effect.map(Effect.catchTag(held.confirm(id), "HeldGone", gone), started("Importing…", again))
          : withoutPreparation(
              Effect.as(Effect.catchTag(held.discard(id), "HeldGone", gone), {
                content: { html: text("Cancelled. Nothing was imported.") },
                notice: "Cancelled"
              })
            )
      },
      FilePreview: ({ job }) =>
        organize.accept(job).pipe(
          Effect.map(started("Filing…")),
          Effect.catchTags({
            JobNotFound: () => userError("This preview has expired. Send /organize again."),
            PreviewOutdated: (outdated) => saying(outdatedReply(outdated), "Out of date")
          })
        ),
      DropPreview: () => saying(text("Cancelled. Nothing was filed.")),
      Recategorize: ({ on, scope }) =>
        on
          ? Effect.map(recategorize.start(scope), started("Recategorizing…"))
          : saying(text("Cancelled. No category was changed.")),
      AllCommands: () => saying(commandsReply),
      SignIn: ({ allow, token }) =>
        withoutPreparation(questions.answer({ token, allow, chatId: message.place.chatId }))
    })
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
  const expired = ({ chatId, messageId }: Callback): Prepared<Outcome> =>
    Effect.flatMap(
      messageId === null ? Effect.succeedNone : memory.linkOf({ chatId, messageId }),
      Option.match({
        onNone: () => userError("This button has expired."),
        onSome: ({ id }) => userError(`This button has expired. Send #${id} for a fresh card.`)
      })
    )

  const workOf = (arrival: number, callback: Callback): Prepared<string | undefined> => {
    const { chatId, data, messageId } = callback
    if (isDoublePress({ arrival, data, under: `${chatId} ${messageId}` }))
      return withoutPreparation(Effect.succeed(undefined))
    const message = callbackMessageOf(context, callback)
    const outcome = Option.match(decode(data), {
      onNone: () => expired(callback),
      onSome: (press) => (isAboutLink(press) ? ofLink(message, press) : ofList(message)(press))
    })
    return Effect.map(
      outcome,
      Effect.flatMap((one) => show(message, one))
    )
  }

  return {
    press: Effect.fn("ButtonActions.press")(
      (arrival: number, callback: Callback): Effect.Effect<void, StoreUnavailable> =>
        context
          .settlePrepared(
            arrival,
            Effect.suspend(() => workOf(arrival, callback)),
            ({ html }) => Effect.succeed<string | undefined>(stripMarkup(html.html))
          )
          .pipe(
            Effect.tapErrorCause((cause) =>
              Cause.isInterruptedOnly(cause)
                ? Effect.void
                : chat.acknowledge(callback.id, "Something went wrong. I’ll try again.")
            ),
            Effect.flatMap((notice) => chat.acknowledge(callback.id, notice))
          )
    )
  }
})
