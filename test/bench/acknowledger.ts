import { join } from "node:path"
import { HttpServer } from "@effect/platform"
import { BunHttpServer, BunRuntime } from "@effect/platform-bun"
import { ConfigProvider, Effect, Layer, Logger } from "effect"
import { applicationWithInbox } from "../../src/Application.ts"
import { Images } from "../../src/enrich/page/Images.ts"
import { AccessKeys, JwtKeys } from "../../src/gates/AccessKeys.ts"
import * as Routes from "../../src/http/Routes.ts"
import * as Database from "../../src/store/Database.ts"
import { InboxStore } from "../../src/store/inbox/InboxStore.ts"
import { Chat } from "../../src/telegram/Chat.ts"
import { Profile } from "../../src/telegram/Profile.ts"
import { withoutSpans } from "../../src/telemetry/Otlp.ts"
import { silentEnricher } from "../support/fakeEnricher.ts"
import { withoutWorld } from "../support/library.ts"
import { noOutside } from "../support/noOutside.ts"
import { noSetUp } from "../support/noSetUp.ts"
import { CHAT, WEBHOOK_SECRET } from "../support/service.ts"

/**
 * The service's webhook as a process: real routes, gates, inbox and disk, but nothing processes the inbox, so that only
 * the acknowledgement is measured. Prints its port. `bun test/bench/acknowledger.ts FOLDER BATCH`
 */

const [folder = ".", batch = "1"] = process.argv.slice(2)

const inactive = Layer.mergeAll(
  Layer.mock(Chat, {
    send: () => Effect.never,
    edit: () => Effect.never,
    acknowledge: () => Effect.void,
    react: () => Effect.void,
    typing: () => Effect.void
  }),
  Layer.succeed(Profile, {
    username: Effect.succeedNone,
    inlineName: Effect.succeedNone,
    register: () => Effect.void,
    run: () => Effect.never
  }),
  silentEnricher,
  Layer.succeed(Images, {
    find: () => Effect.never,
    ofArticle: () => Effect.never,
    mayTake: () => Effect.succeed(true)
  }),
  Layer.succeed(AccessKeys, { find: () => Effect.succeedNone }),
  Layer.succeed(JwtKeys, { find: () => Effect.succeedNone })
)
const settings = new Map([
  ["WEBHOOK_SECRET", WEBHOOK_SECRET],
  ["ALLOWED_CHAT_ID", String(CHAT)]
])

const printPort = Layer.effectDiscard(
  Effect.flatMap(HttpServer.HttpServer, ({ address }) =>
    Effect.sync(() => console.log(address._tag === "TcpAddress" ? address.port : ""))
  )
)

Routes.served.pipe(
  Layer.provide(applicationWithInbox(InboxStore.batched(Number(batch)))),
  Layer.provide([inactive, noOutside, withoutWorld, noSetUp]),
  Layer.provide([Database.layer(join(folder, `batch-${batch}.db`))]),
  Layer.merge(printPort),
  Layer.provide(BunHttpServer.layer({ hostname: "127.0.0.1", port: 0 })),
  Layer.provide([
    Logger.remove(Logger.defaultLogger),
    Layer.setConfigProvider(ConfigProvider.fromMap(settings))
  ]),
  withoutSpans,
  Layer.launch,
  BunRuntime.runMain
)
