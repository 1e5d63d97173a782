import { Effect, Option } from "effect"
import type { Link, LinkId, LinkNotFound } from "../domain/Link.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { EditLinks } from "../library/EditLinks.ts"
import { Refresh } from "../library/Refresh.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import type { ButtonAction } from "./Buttons.ts"
import { cardOf, deleteQuestion, linkLine } from "./Card.ts"
import { makeChatLists } from "./ChatLists.ts"
import { makeCollections } from "./Collections.ts"
import {
  bold,
  concat,
  linkGone,
  type Prepared,
  text,
  type UserError,
  userError,
  withoutPreparation
} from "./Content.ts"
import { JobReports } from "./JobReports.ts"
import { type ChangedLink, makeLinkChanges } from "./LinkChanges.ts"
import { changedSinceReply } from "./Replies.ts"
import { type CallbackMessage, type Notice, withoutNotice } from "./ReplyContext.ts"

/** A press that concerns one link. */
export type LinkPress = Extract<ButtonAction, { readonly id: LinkId; readonly job?: never }>

/** Runs the actions of the buttons under a link's card. */
export const makeLinkPresses = Effect.gen(function* () {
  const changes = yield* makeLinkChanges
  const collections = yield* makeCollections
  const edits = yield* EditLinks
  const links = yield* LinkStore
  const lists = yield* makeChatLists
  const refresh = yield* Refresh
  const reports = yield* JobReports

  const linkOf = (id: LinkId) => Effect.mapError(links.get(id), () => linkGone)

  /** Runs `work` with the current link; fails if the link no longer exists. */
  const withLink = (
    { id }: LinkPress,
    work: (link: Link) => Effect.Effect<Notice, UserError | StoreUnavailable>
  ) => withoutPreparation(Effect.flatMap(linkOf(id), work))

  const showCard = (screen: CallbackMessage, link: Link, undo?: string) =>
    screen.turnInto(cardOf(link, { undo }), [link])

  /** Makes a change and shows the updated card. */
  const changed = (
    screen: CallbackMessage,
    change: Effect.Effect<ChangedLink, LinkNotFound | StoreUnavailable>,
    notice: string
  ): Prepared<Notice> =>
    withoutPreparation(
      Effect.gen(function* () {
        const { link, undo } = yield* Effect.catchTag(change, "LinkNotFound", () => linkGone)
        yield* showCard(screen, link, Option.getOrUndefined(undo))
        return notice
      })
    )

  /** Moves the link to the collection with this ID, by its current name. */
  const move = (screen: CallbackMessage, id: LinkId, collection: number | null): Prepared<Notice> =>
    Effect.flatMap(collections.all, (all) => {
      const name = collection === null ? null : all.find((one) => one.id === collection)?.name
      return name === undefined
        ? userError("This collection is gone.")
        : changed(screen, changes.move(id, name), name === null ? "In no collection" : `In ${name}`)
    })

  return (screen: CallbackMessage, press: LinkPress): Prepared<Notice> => {
    switch (press._tag) {
      case "Favorite":
        return changed(
          screen,
          Effect.map(changes.favorite(press.id, press.on), withoutUndo),
          press.on ? "★ Favorite" : "No favorite any more"
        )
      case "Share":
        return changed(
          screen,
          Effect.map(changes.share(press.id, press.on), withoutUndo),
          press.on ? "On the public list" : "Off the public list"
        )
      case "Move":
        return move(screen, press.id, press.collection)
      case "Collections":
        return withLink(press, (link) =>
          withoutNotice(
            Effect.flatMap(collections.picker(link, press.page), (content) =>
              screen.turnInto(content, [link])
            )
          )
        )
      case "AskCollection":
        return withLink(press, (link) =>
          Effect.gen(function* () {
            // Replaces the list of collections with the card, if the message can still be edited.
            if (screen.editable) yield* showCard(screen, link)
            yield* screen.follow({
              html: concat(
                text("Which collection does "),
                linkLine(link),
                text(" belong in? Answer with its name.")
              ),
              asks: { linkId: link.id, what: "collection" }
            })
            return null
          })
        )
      case "Card":
        return withLink(press, (link) => withoutNotice(showCard(screen, link)))
      case "Show":
        return withLink(press, (link) => withoutNotice(screen.follow(cardOf(link), [link])))
      case "Delete":
        return withLink(press, (link) => withoutNotice(screen.turnInto(deleteQuestion(link), [link])))
      case "DeleteForGood":
        return withLink(press, (link) =>
          Effect.gen(function* () {
            yield* Effect.catchTag(edits.remove([link.id]), "LinkNotFound", () => linkGone)
            yield* screen.turnInto({ html: concat(text("Deleted: "), bold(text(link.title, 140))) })
            return "Deleted"
          })
        )
      case "Similar":
        return Effect.map(Effect.flatMap(linkOf(press.id), lists.similar), (list) =>
          withoutNotice(Effect.flatMap(lists.open(list), (content) => screen.follow(content)))
        )
      case "Undo":
        return withoutPreparation(
          Effect.gen(function* () {
            yield* changes.undo(press.token)
            yield* showCard(screen, yield* linkOf(press.id))
            return "Undone"
          }).pipe(
            Effect.catchTags({
              UndoNotFound: ({ message }) => userError(message),
              ChangedSince: (error) => withoutNotice(screen.follow(changedSinceReply(error, press.token)))
            })
          )
        )
      case "Refresh":
        return refresh.start(press.id).pipe(
          Effect.catchTag("LinkNotFound", () => linkGone),
          Effect.map((job) =>
            Effect.map(reports.startedFromButton(job, screen.place), (first) =>
              first ? "Reading the page again…" : "Already at it"
            )
          )
        )
    }
  }
})

/** Drops the undo token, because pressing the button again undoes the change. */
const withoutUndo = ({ link }: ChangedLink): ChangedLink => ({ link, undo: Option.none() })
