import { Array, Cause, Effect, Layer, Logger, Option, Predicate } from "effect"
import { Setting } from "../config/Configuration.ts"

/** Of a word that names a kind of failure, and of nothing a person wrote. */
const KEYWORD = /^[\w -]{1,60}$/
const bugs: ReadonlySet<string> = new Set(["TypeError", "ReferenceError", "RangeError"])

const keyword = (error: object, field: "code" | "reason") =>
  Predicate.hasProperty(error, field) && Predicate.isString(error[field]) && KEYWORD.test(error[field])
    ? Option.some(error[field])
    : Option.none()

/** Whether the message tells of the program alone: what quotes its input (`ERR_INVALID_URL`) has a code. */
const isOurs = (error: Error, code: Option.Option<string>) =>
  Option.match(code, {
    onNone: () => bugs.has(error.name),
    // Names columns, never what is in them.
    onSome: (text) => text.startsWith("SQLITE_CONSTRAINT")
  })

/**
 * A failure in words that quote nothing: its name, code and reason, and its message only where that is about the program.
 *
 * Messages of parsers, of the database and of HTTP clients hold what was parsed, searched and called: notes, queries,
 * and addresses with tokens in them.
 */
export const wordsOf = (error: unknown): string => {
  if (!Predicate.isObject(error)) return typeof error
  if (Predicate.isTagged(error, "SqlError") && Predicate.hasProperty(error, "cause"))
    return `SqlError: ${wordsOf(error.cause)}`
  if (!Predicate.isError(error)) return "_tag" in error ? String(error._tag) : "object"
  const code = keyword(error, "code")
  const details = [...Option.toArray(code), ...Option.toArray(keyword(error, "reason"))]
  if (isOurs(error, code)) details.push(error.message)
  return [error.name, ...details].join(": ")
}

/** Where in the program it happened, without the message that stands before that. */
const framesOf = (error: unknown) =>
  Predicate.isError(error) ? (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line)) : []

/** The failure as one that can be shown: the same place, and words that quote nothing. */
const shown = (error: unknown): Error => {
  const words = wordsOf(error)
  const safe = new Error(words)
  safe.name = Predicate.isError(error) ? error.name : "Error"
  safe.stack = [words, ...framesOf(error)].join("\n")
  return safe
}

/** The cause with every failure and defect in words that quote nothing. */
export const shownCause = (cause: Cause.Cause<unknown>): Cause.Cause<Error> =>
  Cause.match(cause, {
    onEmpty: Cause.empty,
    onFail: (error): Cause.Cause<Error> => Cause.fail(shown(error)),
    onDie: (defect): Cause.Cause<Error> => Cause.die(shown(defect)),
    onInterrupt: (fiber): Cause.Cause<Error> => Cause.interrupt(fiber),
    onSequential: (left, right): Cause.Cause<Error> => Cause.sequential(left, right),
    onParallel: (left, right): Cause.Cause<Error> => Cause.parallel(left, right)
  })

/** A part of a log line: text stays, an error is put into words. */
export const shownPart = (part: unknown): unknown => (Predicate.isError(part) ? wordsOf(part) : part)

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
