import { Command } from "@effect/cli"
import { Console, Effect } from "effect"
import { count } from "../shared/Format.ts"
import { changedLine } from "./client/Lines.ts"
import { withLibrary } from "./client/WithLibrary.ts"

/** Links that are named one by one. */
const NAMED = 10

export const command = Command.make("undo", {}, () =>
  withLibrary((library) =>
    Effect.gen(function* () {
      const { deleted = [], links } = yield* library.undo({ op: "undo", token: "last" })
      const lines = [
        ...links.slice(0, NAMED).map((link) => `As before: ${changedLine(link)}`),
        ...(links.length > NAMED ? [`As before: ${count(links.length - NAMED, "more link")}.`] : []),
        ...(deleted.length > 0 ? [`In the trash: ${deleted.map((id) => `#${id}`).join(", ")}`] : [])
      ]
      // A change of no link is one of a collection, for example.
      yield* Console.log(lines.length === 0 ? "Undone." : lines.join("\n"))
    })
  )
).pipe(
  Command.withDescription(
    "Undoes the last change that was made in the terminal; a link that it saved goes to the trash."
  )
)
