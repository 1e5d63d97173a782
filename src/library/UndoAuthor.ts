import { DateTime, Effect } from "effect"
import { type Author, CurrentAuthor } from "../domain/Author.ts"
import { Service } from "../runtime/Services.ts"
import { EditLinks } from "./EditLinks.ts"
import { asJobFailure, type JobFailure, Jobs, type Outcome } from "./Jobs.ts"

const MAX_SKIPPED = 1_000

const make = Effect.gen(function* () {
  const edits = yield* EditLinks
  const jobs = yield* Jobs
  return {
    /** By default undoes all that can still be undone; a dry run only reports. */
    start: Effect.fn("UndoAuthor.start")(function* (
      author: Author,
      { dryRun, since }: { readonly since?: DateTime.DateTime | undefined; readonly dryRun: boolean }
    ) {
      const by = yield* CurrentAuthor
      const work = Effect.gen(function* (): Effect.fn.Return<Outcome<"undo">, JobFailure> {
        const from = since === undefined ? "" : DateTime.formatIso(since)
        const { skipped, token, ...undone } = yield* edits.undoAll(author, { since: from, dryRun })
        const result = {
          author,
          ...undone,
          skipped: skipped.length,
          skippedLinks: skipped.slice(0, MAX_SKIPPED),
          ...(dryRun ? { dryRun } : {})
        }
        return dryRun || undone.changes === 0 ? { result } : { result, undo: token }
      }).pipe(Effect.mapError(asJobFailure), Effect.provideService(CurrentAuthor, by))
      return yield* jobs.start({ action: "undo", total: 0 }, () => work)
    })
  }
})

export class UndoAuthor extends Service<UndoAuthor>()("UndoAuthor", make) {}
