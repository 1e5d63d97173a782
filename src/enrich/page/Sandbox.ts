import { Context, Effect, Either, Layer, Option, Schema, Stream } from "effect"
import { MAX_PAGE_TEXT } from "../../domain/Note.ts"
import type { PictureKind } from "../../domain/Picture.ts"
import { type ChildFailed, type ChildLimits, makeChildPool } from "../../runtime/ChildProcess.ts"
import { Measure } from "../../telemetry/Metrics.ts"
import { MAX_DESCRIPTION, MAX_LANGUAGE, MAX_NAME, MAX_TITLE, MAX_URL, type Metadata } from "./Metadata.ts"
import { MAX_PICTURE } from "./Shrink.ts"

/** What the sandbox is asked; the page's or picture's bytes lie beside it. */
export type SandboxRequest =
  | { readonly do: "page"; readonly url: string; readonly contentType: string | null }
  | { readonly do: "picture"; readonly kind: PictureKind }

const text = (limit: number) => Schema.String.pipe(Schema.maxLength(limit))
const address = Schema.NullOr(text(MAX_URL).pipe(Schema.pattern(/^https?:\/\//i)))

/** Held to the same bounds as what the reader promises: a page that takes the reader over writes the answer itself. */
const metadata: Schema.Schema<Metadata> = Schema.Struct({
  title: Schema.NullOr(text(MAX_TITLE)),
  description: text(MAX_DESCRIPTION),
  canonicalUrl: address,
  image: address,
  favicon: address,
  siteName: Schema.NullOr(text(MAX_NAME)),
  author: Schema.NullOr(text(MAX_NAME)),
  publishedAt: Schema.NullOr(text(30).pipe(Schema.pattern(/^\d{4}-[\d:.TZ-]+$/))),
  language: Schema.NullOr(text(MAX_LANGUAGE).pipe(Schema.pattern(/^[A-Za-z0-9-]+$/)))
})

/** What the sandbox answers. A page comes in two parts, so that what it states outlives the search for its text. */
export const SandboxReply = Schema.Union(
  Schema.Struct({ said: Schema.Literal("refused"), reason: Schema.Literal("not-html", "bot-wall") }),
  Schema.Struct({ said: Schema.Literal("metadata"), metadata }),
  Schema.Struct({ said: Schema.Literal("text"), text: text(MAX_PAGE_TEXT) }),
  Schema.Struct({ said: Schema.Literal("picture") }),
  Schema.Struct({
    said: Schema.Literal("no-picture"),
    reason: Schema.Literal("too-large", "undecodable", "unsupported")
  })
)
export type SandboxReply = typeof SandboxReply.Type

/** What a page says, as far as it could be read. */
interface ReadPage {
  readonly metadata: Metadata
  /** Empty where the search for it was cut off; `cut` says why. */
  readonly text: string
  readonly cut: ChildFailed["reason"] | null
}

/** A page that gave nothing: it is not HTML, it is a bot wall, or its reader ended first. */
export type NoPage = "not-html" | "bot-wall" | ChildFailed["reason"]

/** Why there is no small picture. */
type NoPicture = "too-large" | "undecodable" | "unsupported" | ChildFailed["reason"]

const MEGABYTE = 1024 * 1024

/** A child holds some 60 MB when it starts, and at most 125 MB over 189 real pages. */
const pageLimits: ChildLimits = {
  most: 2,
  start: "10 seconds",
  deadline: "3 seconds",
  memory: 160 * MEGABYTE,
  recycle: 128 * MEGABYTE,
  idle: "1 minute",
  // The text, each unit of it written as six characters, and room for the rest.
  reply: MAX_PAGE_TEXT * 6 + 64 * 1024
}

/** Decoding the largest picture takes four bytes a pixel. */
const pictureLimits: ChildLimits = {
  ...pageLimits,
  most: 1,
  memory: 260 * MEGABYTE,
  reply: MAX_PICTURE + 4_096
}

/**
 * Reads what strangers have written in processes of their own, which are killed when they overrun their time or memory.
 * Whatever a page or a picture does to its reader, the service goes on.
 */
export class Sandbox extends Context.Tag("Sandbox")<
  Sandbox,
  {
    readonly readPage: (
      page: Omit<Extract<SandboxRequest, { do: "page" }>, "do">,
      body: Uint8Array
    ) => Effect.Effect<ReadPage, NoPage>
    /** The picture as WebP, at most `MAX_PICTURE` bytes. */
    readonly shrink: (kind: PictureKind, picture: Uint8Array) => Effect.Effect<Uint8Array, NoPicture>
  }
>() {
  /** Starts its processes with `command`, when the first page or picture comes. */
  static readonly layer = (command: ReadonlyArray<string>) =>
    Layer.scoped(
      this,
      Effect.gen(function* () {
        const pages = yield* makeChildPool({ ...pageLimits, command, replies: SandboxReply })
        const pictures = yield* makeChildPool({ ...pictureLimits, command, replies: SandboxReply })

        const counted = (what: "page" | "picture") => (failure: ChildFailed) =>
          Measure.readerFailures.count(what, failure.reason)

        const readPage = Effect.fn("Sandbox.readPage")(function* (
          page: Omit<Extract<SandboxRequest, { do: "page" }>, "do">,
          body: Uint8Array
        ) {
          let refused: NoPage | undefined
          let stated: Metadata | undefined
          let text = ""
          const request: SandboxRequest = { do: "page", ...page }
          const ended = yield* pages.ask(request, body).pipe(
            Stream.runForEach(({ message }) =>
              Effect.sync(() => {
                if (message.said === "refused") refused = message.reason
                if (message.said === "metadata") stated = message.metadata
                if (message.said === "text") text = message.text
              })
            ),
            Effect.tapError(counted("page")),
            Effect.either
          )
          const cut = Option.getOrNull(Option.map(Either.getLeft(ended), ({ reason }) => reason))
          if (stated === undefined) return yield* Effect.fail(refused ?? cut ?? "reply")
          const read: ReadPage = { metadata: stated, text, cut }
          return read
        })

        const shrink = Effect.fn("Sandbox.shrink")(function* (kind: PictureKind, picture: Uint8Array) {
          const request: SandboxRequest = { do: "picture", kind }
          const answer = yield* pictures.ask(request, picture).pipe(
            Stream.runLast,
            Effect.tapError(counted("picture")),
            Effect.mapError(({ reason }): NoPicture => reason)
          )
          const { bytes, message } = yield* Effect.mapError(answer, (): NoPicture => "reply")
          if (message.said === "picture") return bytes
          return yield* Effect.fail<NoPicture>(message.said === "no-picture" ? message.reason : "reply")
        })

        return { readPage, shrink }
      })
    )
}
