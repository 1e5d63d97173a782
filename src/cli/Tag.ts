import { Args, Command } from "@effect/cli"
import { Console, Effect } from "effect"
import { changedLine } from "./client/Lines.ts"
import { withLibrary } from "./client/WithLibrary.ts"
import { number } from "./Show.ts"

const tags = Args.text({ name: "[-]TAG" }).pipe(
  Args.atLeast(1),
  Args.withDescription("Tags to add; those that begin with - are removed.")
)

const withoutSign = (tag: string) => tag.replace(/^[+-]/, "")

export const command = Command.make("tag", { number, tags }, (given) =>
  withLibrary((library) =>
    Effect.gen(function* () {
      const removed = given.tags.filter((tag) => tag.startsWith("-"))
      const added = given.tags.filter((tag) => !tag.startsWith("-"))
      const { links } = yield* library.tag({
        op: "tags",
        ids: [given.number],
        ...(added.length === 0 ? {} : { add: added.map(withoutSign) }),
        ...(removed.length === 0 ? {} : { remove: removed.map(withoutSign) })
      })
      yield* Effect.forEach(links, (link) => Console.log(changedLine(link)))
    })
  )
).pipe(Command.withDescription("Adds tags to a link and removes them."))
