import { Effect, Option } from "effect"
import { MODEL, Setting, SIMILARITY_THRESHOLD } from "../config/Configuration.ts"
import { Embeddings } from "../library/Embeddings.ts"
import { ViewLinks } from "../library/ViewLinks.ts"
import { VERSION } from "../version.ts"
import type { MetaAnswer } from "./api/Answers.ts"

const isSet = <A>({ config }: Setting<Option.Option<A>>) =>
  Effect.map(Effect.option(config), (value) => Option.isSome(Option.flatten(value)))

/** Which ways of adding links are set up; an unreadable value counts as unset. */
const setup = Effect.all({
  bot: isSet(Setting.telegramBotToken),
  webhook: isSet(Setting.webhookSecret),
  chat: isSet(Setting.allowedChatId),
  extension: isSet(Setting.extensionToken),
  publicUrl: Effect.map(
    Effect.orElseSucceed(Setting.publicUrl.config, () => Option.none<string>()),
    Option.getOrNull
  )
})

/** Collects the data behind the dashboard's filters and footer. */
export const makeMeta = Effect.gen(function* () {
  const links = yield* ViewLinks
  const embeddings = yield* Embeddings
  const answer = Effect.gen(function* () {
    const inUse = yield* embeddings.inUse
    const meta: MetaAnswer = {
      ...(yield* links.facets),
      model: { id: MODEL, configured: yield* isSet(Setting.anthropicApiKey) },
      embedder: Option.match(inUse, {
        onNone: () => ({ name: embeddings.name, dimensions: 0 }),
        onSome: ({ dimensions, name }) => ({ name, dimensions })
      }),
      threshold: Option.match(inUse, {
        onNone: () => SIMILARITY_THRESHOLD,
        onSome: ({ threshold }) => threshold
      }),
      setup: yield* setup,
      version: VERSION
    }
    return meta
  }).pipe(Effect.withSpan("Meta.answer"))
  return { answer }
})
