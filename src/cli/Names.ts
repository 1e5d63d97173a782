import { Command } from "@effect/cli"
import { Console, Effect } from "effect"
import { withoutControls } from "../runtime/Terminal.ts"
import { withLibrary } from "./client/WithLibrary.ts"

interface Counted {
  readonly name: string
  readonly count: number
}

/** Prints names, with counts on a terminal; alone in a pipe, for scripts and completions. */
const print = (all: ReadonlyArray<Counted>) => {
  const width = Math.max(0, ...all.map(({ count }) => String(count).length))
  const lines = all.map(({ count, name }) =>
    process.stdout.isTTY === true
      ? `${String(count).padStart(width)}  ${withoutControls(name)}`
      : withoutControls(name)
  )
  return lines.length === 0 ? Effect.void : Console.log(lines.join("\n"))
}

export const tags = Command.make("tags", {}, () =>
  withLibrary((library) => Effect.flatMap(library.tags, ({ tags }) => print(tags)))
).pipe(Command.withDescription("Lists the tags, the most used first."))

export const collections = Command.make("collections", {}, () =>
  withLibrary((library) => Effect.flatMap(library.collections, ({ collections }) => print(collections)))
).pipe(Command.withDescription("Lists the collections, each before those inside it."))
