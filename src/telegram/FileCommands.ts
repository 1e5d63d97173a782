import { Effect, Option, Ref, Schema } from "effect"
import type { MessageRef } from "../domain/Messages.ts"
import { ExportFormat } from "../library/ExportLinks.ts"
import { type FileNotMade, type MadeFile, MakeFiles } from "../library/OutgoingFiles.ts"
import { count } from "../shared/Format.ts"
import { type Content, code, concat, type Html, text, UserError, userError } from "./Content.ts"
import { makeTypingIndicator } from "./TypingIndicator.ts"

const isFormat = Schema.is(ExportFormat)

const refused = (...parts: ReadonlyArray<Html>) => new UserError({ html: concat(...parts) })

/** The sentences about a file that cannot be made; `elsewhere` says where it can be. */
const refusals = (what: string, elsewhere: Html): Record<FileNotMade["reason"], UserError> => ({
  empty: userError("Nothing is saved yet. Send me a link."),
  "too-large": refused(text(`The ${what} is over 50 MB, more than a bot may send. `), elsewhere),
  "no-space": refused(text(`The disk has too little free space for the ${what}. `), elsewhere),
  waiting: userError("Two files are still waiting to be sent. Try again once they’ve arrived."),
  failed: refused(text(`I couldn’t make the ${what}; the log says why. `), elsewhere)
})

const exportElsewhere = concat(
  text("Export in the dashboard, or run "),
  code(text("linkbower export")),
  text(".")
)
const backupElsewhere = concat(text("Run "), code(text("linkbower backup")), text(" on the server."))

export const makeFileCommands = Effect.gen(function* () {
  const files = yield* MakeFiles
  const indicator = yield* makeTypingIndicator

  /** Makes a file while the chat shows that the bot is working; returns the message that carries it. */
  const making = Effect.fnUntraced(function* (
    { chatId, messageId }: MessageRef,
    make: (file: string) => Effect.Effect<MadeFile, FileNotMade>,
    what: { readonly name: string; readonly elsewhere: Html; readonly caption: (links: string) => Html }
  ) {
    // A retry of the same message replaces the file of its first attempt.
    const file = `${chatId}-${messageId}`
    const made = yield* Ref.make(Option.none<MadeFile>())
    const sentences = refusals(what.name, what.elsewhere)
    yield* indicator.during(
      { chatId, messageId },
      make(file).pipe(
        Effect.tap((one) => Ref.set(made, Option.some(one))),
        Effect.mapError(({ reason }) => sentences[reason]),
        Effect.as("👍")
      )
    )
    const { links, name } = yield* Effect.mapError(Effect.flatten(Ref.get(made)), () => sentences.failed)
    const otherwise = concat(text(`Telegram didn’t accept the ${what.name}. `), what.elsewhere).html
    const content: Content = {
      html: what.caption(count(links, "link")),
      document: { file, name, otherwise }
    }
    return content
  })

  return {
    export: Effect.fn("FileCommands.export")(function* (message: MessageRef, words: string) {
      const format = words.trim().toLowerCase() || "json"
      if (!isFormat(format))
        return yield* userError(
          "Send /export for everything, /export html for browsers, or /export csv for spreadsheets."
        )
      return yield* making(message, (file) => files.export(file, format), {
        name: "export",
        elsewhere: exportElsewhere,
        caption: (links) => text(`Your library: ${links}.`)
      })
    }),
    backup: Effect.fn("FileCommands.backup")(function* (message: MessageRef) {
      // The platform's numbers of groups and channels are negative.
      if (message.chatId < 0)
        return yield* refused(
          text("A backup holds your whole library, so I send it only to a private chat, not to a group. "),
          backupElsewhere
        )
      return yield* making(message, files.backup, {
        name: "backup",
        elsewhere: backupElsewhere,
        caption: (links) =>
          concat(
            text(
              `Backup of your whole library: ${links}, with notes, collections, trash and page texts. Left out: passwords, sessions, the bot token, and the addresses of your feeds and e-readers, which need new ones after a restore. To use it, unzip it and run `
            ),
            code(text("linkbower restore")),
            text(".")
          )
      })
    })
  }
})
