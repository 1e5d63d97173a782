import { Array, Cause, Effect, Inspectable, Layer, Logger, LogLevel, Option, Predicate } from "effect"
import { Setting } from "../config/Configuration.ts"
import { SettingSources } from "../config/SettingSources.ts"
import { printError, printLine, styled } from "../runtime/Terminal.ts"

/** The form of a word that names a kind of failure, as opposed to text that a person wrote. */
const KEYWORD = /^[\w -]{1,60}$/
const bugs: ReadonlySet<string> = new Set(["TypeError", "ReferenceError", "RangeError"])

const keyword = (error: object, field: "code" | "reason") =>
  Predicate.hasProperty(error, field) && Predicate.isString(error[field]) && KEYWORD.test(error[field])
    ? Option.some(error[field])
    : Option.none()

/** Whether the message is only about the program; an error that quotes its input (`ERR_INVALID_URL`) has a code. */
const isSafeToShow = (error: Error, code: Option.Option<string>) =>
  Option.match(code, {
    onNone: () => bugs.has(error.name),
    // SQLite names columns here, never their values.
    onSome: (text) => text.startsWith("SQLITE_CONSTRAINT")
  })

/**
 * Describes a failure without quoting data: its name, code and reason, and its message only if that is about the
 * program.
 *
 * Messages of parsers, of the database and of HTTP clients quote their input: notes, queries, and addresses that
 * contain tokens.
 */
export const describeWithoutData = (error: unknown): string => {
  if (!Predicate.isObject(error)) return typeof error
  if (Predicate.isTagged(error, "SqlError") && Predicate.hasProperty(error, "cause"))
    return `SqlError: ${describeWithoutData(error.cause)}`
  if (!Predicate.isError(error)) return "_tag" in error ? String(error._tag) : "object"
  const code = keyword(error, "code")
  const details = [...Option.toArray(code), ...Option.toArray(keyword(error, "reason"))]
  if (isSafeToShow(error, code)) details.push(error.message)
  return [error.name, ...details].join(": ")
}

/** The frames of an error's stack trace, without the message above them. */
const framesOf = (error: unknown) =>
  Predicate.isError(error) ? (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line)) : []

/** A copy of a failure that is safe to log: the same stack frames, with a message that quotes no data. */
const shown = (error: unknown): Error => {
  const words = describeWithoutData(error)
  const safe = new Error(words)
  safe.name = Predicate.isError(error) ? error.name : "Error"
  safe.stack = [words, ...framesOf(error)].join("\n")
  return safe
}

/** Replaces every failure and defect in a cause by a copy that quotes no data. */
export const redactCause = (cause: Cause.Cause<unknown>): Cause.Cause<Error> =>
  Cause.match(cause, {
    onEmpty: Cause.empty,
    onFail: (error): Cause.Cause<Error> => Cause.fail(shown(error)),
    onDie: (defect): Cause.Cause<Error> => Cause.die(shown(defect)),
    onInterrupt: (fiber): Cause.Cause<Error> => Cause.interrupt(fiber),
    onSequential: (left, right): Cause.Cause<Error> => Cause.sequential(left, right),
    onParallel: (left, right): Cause.Cause<Error> => Cause.parallel(left, right)
  })

/** A part of a log message: an error becomes a description that quotes no data, everything else stays. */
export const redactPart = (part: unknown): unknown =>
  Predicate.isError(part) ? describeWithoutData(part) : part

/** Wraps a logger so that errors reach it without secrets, queries or notes. */
export const redactingLogger = <A>(logger: Logger.Logger<unknown, A>): Logger.Logger<unknown, A> =>
  Logger.mapInputOptions(logger, (options: Logger.Logger.Options<unknown>) => ({
    ...options,
    message: Array.map(Array.ensure(options.message), redactPart),
    cause: redactCause(options.cause)
  }))

const marks: Partial<Record<LogLevel.LogLevel["_tag"], string>> = {
  Warning: styled("yellow", "warning"),
  Error: styled("red", "error"),
  Fatal: styled("red", "error")
}

const textOf = (part: unknown) => (Predicate.isString(part) ? part : Inspectable.toStringUnknown(part, 0))

/** A log line for a person: `14:03:07 warning A sentence. key=value`, with the failure below it. */
const readableLogger = Logger.make<unknown, string>(({ annotations, cause, date, logLevel, message }) => {
  const mark = marks[logLevel._tag] ?? (logLevel._tag === "Info" ? "" : logLevel.label.toLowerCase())
  const fields = [...annotations].map(([key, value]) => `${key}=${textOf(value)}`).join(" ")
  const line = [
    styled("faint", timeOfDay.format(date)),
    mark,
    ...Array.ensure(message).map(textOf),
    fields === "" ? "" : styled("faint", fields)
  ]
  const failure = Cause.isEmpty(cause) ? [] : Cause.pretty(cause, { renderErrorCause: true }).split("\n")
  return [line.filter((part) => part !== "").join(" "), ...failure.map((one) => `  ${one}`)].join("\n")
})

const timeOfDay = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" })

/**
 * Logs to standard output at LOG_LEVEL and above: sentences on a terminal, elsewhere one JSON object per line with
 * `timestamp`, `logLevel`, `message`, `cause`, `annotations` and `spans`.
 */
export const layer = Layer.unwrapEffect(
  Effect.map(Setting.logLevel.config, (level) =>
    Layer.merge(
      Logger.replace(
        Logger.defaultLogger,
        process.stdout.isTTY
          ? Logger.map(redactingLogger(readableLogger), printLine)
          : Logger.withConsoleLog(redactingLogger(Logger.jsonLogger))
      ),
      Logger.minimumLogLevel(level)
    )
  )
)

/**
 * The log of a command other than the service: sentences on standard error, because its results are on standard output.
 * Only warnings and errors, unless `--log-level` asks for more.
 */
export const commandLayer = Layer.unwrapEffect(
  Effect.gen(function* () {
    const { isFlag } = yield* (yield* SettingSources).look(Setting.logLevel.name)
    const level = isFlag ? yield* Setting.logLevel.config : LogLevel.Warning
    return Layer.merge(
      Logger.replace(Logger.defaultLogger, Logger.map(redactingLogger(readableLogger), printError)),
      Logger.minimumLogLevel(level)
    )
  })
)
