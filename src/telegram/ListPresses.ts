import { Effect, Option } from "effect"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { MergeLinks } from "../library/Duplicates.ts"
import { Jobs } from "../library/Jobs.ts"
import { JobViews } from "../library/JobViews.ts"
import type { ButtonAction } from "./Buttons.ts"
import { makeChatLists } from "./ChatLists.ts"
import { makeCollections } from "./Collections.ts"
import {
  lines,
  linkGone,
  type Prepared,
  text,
  type UserError,
  userError,
  withoutPreparation
} from "./Content.ts"
import { groupsOf, mergeQuestion } from "./JobReplies.ts"
import { JobReports } from "./JobReports.ts"
import { makeLinkChanges } from "./LinkChanges.ts"
import type { LinkPress } from "./LinkPresses.ts"
import { changedSinceReply, undoneReply } from "./Replies.ts"
import { type CallbackMessage, type Notice, withoutNotice } from "./ReplyContext.ts"

/** A press that concerns many links: a list, the collections, or a job's result. */
type ListPress = Exclude<ButtonAction, LinkPress>

type Shown = Effect.Effect<Notice, UserError | StoreUnavailable>

/** Runs the actions of the buttons under lists and reports. */
export const makeListPresses = Effect.gen(function* () {
  const changes = yield* makeLinkChanges
  const collections = yield* makeCollections
  const jobs = yield* Jobs
  const lists = yield* makeChatLists
  const merges = yield* MergeLinks
  const reports = yield* JobReports
  const views = yield* JobViews

  const jobOf = (id: number) => Effect.mapError(jobs.get(id), () => userError("This report is gone."))

  /** The current group of duplicates that a job found this link in. */
  const groupOf = Effect.fnUntraced(function* ({
    id,
    job
  }: Extract<ListPress, { readonly _tag: "Merge" | "MergeForGood" }>) {
    const groups = groupsOf(yield* views.shown(yield* jobOf(job)))
    const group = groups.find(({ links }) => links.some((link) => link.id === id))
    return group ?? (yield* userError("There is nothing left to merge."))
  })

  return (screen: CallbackMessage, press: ListPress): Prepared<Notice> => {
    switch (press._tag) {
      case "List":
        return withoutPreparation(
          Effect.flatMap(
            lists.page(press.list, press.page),
            Option.match({
              onNone: (): Shown => userError("This list is too old. Ask for it again."),
              onSome: (content) => withoutNotice(screen.turnInto(content))
            })
          )
        )
      case "AllCollections":
        return withoutPreparation(
          withoutNotice(
            Effect.flatMap(collections.overview(press.page), (content) => screen.turnInto(content))
          )
        )
      case "OpenCollection":
        return Effect.flatMap(collections.all, (all) => {
          const collection = all.find(({ id }) => id === press.collection)
          return collection === undefined
            ? userError("This collection is gone.")
            : Effect.map(lists.ofCollection(collection), (list) =>
                withoutNotice(Effect.flatMap(lists.open(list), (content) => screen.follow(content)))
              )
        })
      case "Merge":
        return withoutPreparation(
          withoutNotice(
            Effect.flatMap(groupOf(press), (group) => screen.turnInto(mergeQuestion(press.job, group)))
          )
        )
      case "MergeForGood":
        return withoutPreparation(
          Effect.gen(function* () {
            const { links } = yield* groupOf(press)
            const others = links.map(({ id }) => id).filter((id) => id !== press.id)
            yield* Effect.catchTag(merges.merge(press.id, others), "LinkNotFound", () => linkGone)
            yield* screen.turnInto(yield* reports.report(yield* jobOf(press.job)))
            return `Merged into #${press.id}`
          })
        )
      case "Report":
        return withoutPreparation(
          Effect.flatMap(jobOf(press.job), (job) =>
            withoutNotice(Effect.flatMap(reports.report(job), (content) => screen.turnInto(content)))
          )
        )
      case "UndoJob":
        return withoutPreparation(
          Effect.gen(function* () {
            const job = yield* jobOf(press.job)
            if (job.undo === null) return yield* userError("This can no longer be taken back.")
            const token = job.undo
            return yield* Effect.gen(function* () {
              yield* changes.undo(token)
              const { html } = yield* reports.report(yield* jobOf(press.job))
              yield* screen.turnInto({ html: lines([html, text("↩ Taken back.")]) })
              return "Undone"
            }).pipe(
              Effect.catchTags({
                UndoNotFound: ({ message }) => userError(message),
                ChangedSince: (error) => withoutNotice(screen.follow(changedSinceReply(error, token)))
              })
            )
          })
        )
      case "UndoAnyway":
        return withoutPreparation(
          changes.undo(press.token, true).pipe(
            // A forced undo never fails with `ChangedSince`.
            Effect.catchTags({ UndoNotFound: ({ message }) => userError(message), ChangedSince: Effect.die }),
            Effect.tap((undone) => screen.turnInto({ html: undoneReply(undone) })),
            Effect.as("Undone")
          )
        )
    }
  }
})
