import { Duration, Effect, Option, Ref, Schedule, Stream } from "effect"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { HeldImports, MAX_HELD } from "../library/HeldImports.ts"
import { count, sizeText } from "../shared/Format.ts"
import type { ChatError } from "./BotApi.ts"
import { button } from "./Buttons.ts"
import { Chat, type Reaction } from "./Chat.ts"
import { type Content, code, concat, italic, lines, text, UserError, userError } from "./Content.ts"
import type { ReplyContext } from "./ReplyContext.ts"
import { makeTypingIndicator } from "./TypingIndicator.ts"
import type { ChatUpdate } from "./Update.ts"

type FileMessage = Extract<ChatUpdate, { readonly _tag: "File" }>

/** The largest file that Telegram gives a bot, in bytes (https://core.telegram.org/bots/api#getfile). */
const MAX_DOWNLOAD = 20 * 1024 * 1024
const MAX_NAME = 80
/** How often a download is repeated that Telegram does not finish. */
const RETRIES = Schedule.intersect(Schedule.exponential(Duration.seconds(2)), Schedule.recurs(3))

const quoted = (name: string) => concat(text("“"), text(name, MAX_NAME), text("”"))

const elsewhere = concat(
  text("Import it in the dashboard, or run "),
  code(text("linkbower import")),
  text(".")
)

const tooLarge = (name: string, size: number | null) =>
  new UserError({
    html: concat(
      quoted(name),
      text(
        `${size === null ? " is too large." : ` is ${sizeText(size)}.`} Telegram lets bots download up to 20 MB. `
      ),
      elsewhere
    )
  })

const notDownloaded = (name: string, { description = "", reason }: ChatError): UserError => {
  if (reason === "rejected" && /too big/i.test(description)) return tooLarge(name, null)
  if (reason === "rejected" && /disk/i.test(description))
    return new UserError({
      html: concat(text("Your Bot API server keeps files on its own disk, which I can’t read. "), elsewhere)
    })
  return new UserError({
    html: concat(
      text("I couldn’t download the file from Telegram. Send it again, import it in the dashboard, or run "),
      code(text("linkbower import")),
      text(".")
    )
  })
}

const notKept: Record<"cut-off" | "too-large" | "disk", (name: string) => UserError> = {
  "cut-off": () => userError("I couldn’t download the file from Telegram. Send it again."),
  "too-large": (name) => tooLarge(name, null),
  disk: () => userError("I couldn’t save the file: the disk is full or not writable. Send it again later.")
}

const question = (held: {
  readonly id: number
  readonly name: string
  readonly format: string
  readonly links: number
  readonly known: number
  readonly rejected: number
}): Content => {
  const here =
    held.known === 0
      ? ""
      : held.known === held.links
        ? held.links === 1
          ? " It’s already here."
          : " All of them are already here."
        : ` ${count(held.known, "is", "are")} already here.`
  const left =
    held.rejected === 0 ? "" : ` · ${count(held.rejected, "entry", "entries")} without a usable address`
  return {
    html: lines([
      concat(text(`Import ${count(held.links, "link")} from `), quoted(held.name), text(`?${here}`)),
      italic(text(`${held.format.charAt(0).toUpperCase()}${held.format.slice(1)}${left}`))
    ]),
    buttons: [
      [
        button("Import", { _tag: "Import", held: held.id, on: true }),
        button("Cancel", { _tag: "Import", held: held.id, on: false })
      ]
    ]
  }
}

export const makeFileMessages = Effect.fnUntraced(function* ({ reply, settlePrepared }: ReplyContext) {
  const chat = yield* Chat
  const imports = yield* HeldImports
  const indicator = yield* makeTypingIndicator

  /** Downloads and reads a file, or says why that is impossible. */
  const hold = Effect.fnUntraced(function* ({ chatId, fileId, messageId, name }: FileMessage) {
    const failure = yield* Ref.make(Option.none<ChatError>())
    const bytes = chat
      .download(fileId, MAX_DOWNLOAD)
      .pipe(Stream.tapError((error) => Ref.set(failure, Option.some(error))))
    const isPassing = Effect.map(
      Ref.get(failure),
      Option.exists(({ reason }) => reason === "unavailable" || reason === "rate-limited")
    )
    return yield* imports.hold({ key: `${chatId} ${messageId}`, name, most: MAX_DOWNLOAD, bytes }).pipe(
      Effect.retry({
        schedule: RETRIES,
        while: (error) => (error._tag === "StreamNotSaved" && error.reason === "cut-off" ? isPassing : false)
      }),
      Effect.catchTags({
        FormatError: ({ message }) => userError(message),
        TooManyHeld: () =>
          userError(
            `${MAX_HELD} files are already waiting for your answer. Import or cancel one, then send this one again.`
          ),
        StreamNotSaved: ({ reason }) =>
          Effect.flatMap(Ref.get(failure), (error) =>
            Option.isSome(error) ? notDownloaded(name, error.value) : notKept[reason](name)
          )
      })
    )
  })

  const prepare = (update: FileMessage, skipReading: boolean) => {
    if (update.size !== null && update.size > MAX_DOWNLOAD) return tooLarge(update.name, update.size)
    if (skipReading)
      return new UserError({
        html: concat(text("Reading this file stopped the service, so I skipped it. "), elsewhere)
      })
    return Effect.map(hold(update), (held) => Effect.as(reply(update, question(held)), "👍" as const))
  }

  return {
    receive: Effect.fn("FileMessages.receive")(
      (id: number, update: FileMessage, skipReading: boolean): Effect.Effect<void, StoreUnavailable> =>
        indicator.during(
          update,
          settlePrepared<Reaction>(id, prepare(update, skipReading), ({ html }) =>
            Effect.as(reply(update, { html }), "🤷")
          )
        )
    ),
    /** Says, beside a message's saved links, that its file was not imported. */
    leftAlone: (update: Pick<FileMessage, "chatId" | "messageId">, name: string) =>
      reply(update, {
        html: concat(
          text("I saved the link in the caption and didn’t import "),
          quoted(name),
          text(". To import it, send it without a link.")
        )
      })
  }
})
