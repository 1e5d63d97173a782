import { Args, Command, Options } from "@effect/cli"
import { Console, Effect, Option } from "effect"
import { withoutControls } from "../runtime/Terminal.ts"
import { dayText } from "../shared/Format.ts"
import { withLibrary } from "./client/WithLibrary.ts"
import { optionalText } from "./Input.ts"
import { CommandFailed, ExitCode } from "./Program.ts"
import { encodeLink, printsJson } from "./Search.ts"

const urls = Args.text({ name: "URL" }).pipe(
  Args.atLeast(1),
  Args.withDescription("The addresses to save; https:// may be left out.")
)

const note = Options.text("note").pipe(
  Options.optional,
  Options.withDescription("A note, which is added to the note of a link that is known.")
)
const tag = optionalText("tag", "TAGS", "A tag, or several separated by commas.")
const collection = optionalText(
  "collection",
  "NAME",
  "The collection to file it in, such as “Reading list” or “Work / Effect”."
)

const withProtocol = (url: string) => (/^[a-z][a-z\d+.-]*:\/\//i.test(url) ? url : `https://${url}`)

export const command = Command.make("add", { collection, note, tag, urls }, (given) =>
  withLibrary((library) =>
    Effect.gen(function* () {
      const tags = Option.toArray(given.tag).flatMap((all) =>
        all.split(",").flatMap((one) => one.trim() || [])
      )
      const more = {
        ...(tags.length === 0 ? {} : { tags }),
        ...(Option.isSome(given.note) ? { note: given.note.value } : {}),
        ...(Option.isSome(given.collection) ? { collection: given.collection.value } : {})
      }
      const failures = yield* Effect.forEach(given.urls, (url) =>
        library.save({ url: withProtocol(url), ...more }).pipe(
          Effect.flatMap((saved) => {
            if (!("link" in saved)) return Console.log(`Saved ${withoutControls(saved.url)}`)
            const { existing, link } = saved
            if (printsJson(false)) return Console.log(encodeLink(link))
            const known = existing === undefined ? "Saved" : `Already saved ${dayText(existing.createdAt)}:`
            return Console.log(`${known} #${link.id} ${withoutControls(link.title)}`)
          }),
          Effect.as([]),
          Effect.catchIf(
            // The other addresses may still be saved.
            ({ exitCode }) => exitCode === ExitCode.failed && given.urls.length > 1,
            ({ message }) => Effect.as(Console.error(`${withoutControls(url)}: ${message}`), [url])
          )
        )
      )
      const count = failures.flat().length
      if (count > 0)
        return yield* new CommandFailed({
          message: `${count} of ${given.urls.length} addresses were not saved.`,
          exitCode: ExitCode.failed
        })
    })
  )
).pipe(
  Command.withDescription("Saves links. A known address is not saved twice: what is given is added to it.")
)
