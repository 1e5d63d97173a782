import type { CliApp } from "@effect/cli"
import type { HttpClient } from "@effect/platform"
import { Context, type Effect, type Scope } from "effect"
import type { SettingSources } from "../../config/SettingSources.ts"
import type { SettingWriter } from "../../config/SettingWriter.ts"

/** A library that is not reached through a service: it answers requests in this process, which have this secret. */
export interface InProcess {
  readonly client: HttpClient.HttpClient
  readonly secret: string
}

type Surroundings = CliApp.CliApp.Environment | SettingSources | SettingWriter | Scope.Scope

/** Opens the library of this machine in this process, for when no service runs. */
export class LocalLibrary extends Context.Tag("LocalLibrary")<
  LocalLibrary,
  Effect.Effect<InProcess, unknown, Surroundings>
>() {}
