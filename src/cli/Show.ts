import { Args, Command, HelpDoc } from "@effect/cli"
import { Console, Effect } from "effect"
import { LinkId } from "../domain/Link.ts"
import { columnsOf, withoutControls } from "../runtime/Terminal.ts"
import { detailsOf } from "./client/Lines.ts"
import { withLibrary } from "./client/WithLibrary.ts"
import { flag } from "./Input.ts"
import { encodeLink } from "./Search.ts"

/** A link's number, with or without the `#` that lists show. */
export const number = Args.text({ name: "NUMBER" }).pipe(
  Args.mapTryCatch(
    (text) => {
      if (!/^#?[1-9]\d{0,14}$/.test(text)) throw new Error()
      return LinkId.make(Number(text.replace("#", "")))
    },
    () => HelpDoc.p("NUMBER is the number of a link, such as 12.")
  ),
  Args.withDescription("The link's number, as lists show it.")
)

const json = flag("json", "Prints the link as JSON.")
const text = flag("text", "Prints the kept text of the page too.")

export const show = Command.make("show", { json, number, text }, (given) =>
  withLibrary((library) =>
    Effect.gen(function* () {
      const { link, text } = yield* library.link(given.number)
      const lines = given.json
        ? [given.text ? JSON.stringify({ ...link, text }) : encodeLink(link)]
        : detailsOf(link, given.text ? text : "", columnsOf(process.stdout))
      yield* Console.log(lines.join("\n"))
    })
  )
).pipe(Command.withDescription("Shows a link with its note, tags and summary."))

/** The command that opens an address in the browser of this machine. */
const OPENER = process.platform === "darwin" ? "open" : "xdg-open"

const isWebAddress = (url: string) => /^https?:\/\//i.test(url)

export const open = Command.make("open", { number }, (given) =>
  withLibrary((library) =>
    Effect.gen(function* () {
      const { link } = yield* library.link(given.number)
      const opened = yield* Effect.sync(() => {
        // An address is an argument of its own, so that no shell reads it.
        if (process.stdout.isTTY !== true || !isWebAddress(link.url) || Bun.which(OPENER) === null)
          return false
        Bun.spawn([OPENER, link.url], { stdio: ["ignore", "ignore", "ignore"] }).unref()
        return true
      })
      yield* opened
        ? Console.error(`Opening ${withoutControls(link.url)}`)
        : Console.log(withoutControls(link.url))
    })
  )
).pipe(
  Command.withDescription("Opens a link in the browser. In a pipe, or without a browser, prints its address.")
)
