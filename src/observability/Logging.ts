import { Array, Effect, Layer, Logger } from "effect"
import { Setting } from "../domain/Configuration.ts"
import { shownCause, shownPart } from "./Wording.ts"

/** The same logger, told of errors in words that hold no secret, query or note. */
export const discreet = <A>(logger: Logger.Logger<unknown, A>): Logger.Logger<unknown, A> =>
  Logger.mapInputOptions(logger, (options: Logger.Logger.Options<unknown>) => ({
    ...options,
    message: Array.map(Array.ensure(options.message), shownPart),
    cause: shownCause(options.cause)
  }))

/**
 * Logs to standard output from LOG_LEVEL on: for people on a terminal, elsewhere one JSON object a line with
 * `timestamp`, `logLevel`, `message`, `cause`, `annotations` and `spans`.
 */
export const layer = Layer.unwrapEffect(
  Effect.map(Setting.logLevel.config, (level) =>
    Layer.merge(
      Logger.replace(
        Logger.defaultLogger,
        process.stdout.isTTY
          ? discreet(Logger.prettyLogger())
          : Logger.withConsoleLog(discreet(Logger.jsonLogger))
      ),
      Logger.minimumLogLevel(level)
    )
  )
)
