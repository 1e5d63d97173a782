import { Args, Command } from "@effect/cli"
import { Console, Effect, Option, Redacted } from "effect"
import { allSettings, type Setting } from "../config/Configuration.ts"
import { meantBy } from "../config/SettingMistakes.ts"
import { type SettingSource, SettingSources } from "../config/SettingSources.ts"
import { refusalOf, settingNamed, shownValue } from "../config/SettingValue.ts"
import { SettingNotUsable, SettingWriter } from "../config/SettingWriter.ts"
import { columnsOf, styled, withoutControls, wrapped } from "../runtime/Terminal.ts"
import { askHidden, canAsk, flag, valueFromInput } from "./Input.ts"
import { CommandFailed, InvalidCommand } from "./Program.ts"

const name = Args.text({ name: "NAME" }).pipe(
  Args.withDescription("The setting, such as PUBLIC_URL. Without it, lists all settings."),
  Args.optional
)

const value = Args.text({ name: "VALUE" }).pipe(
  Args.withDescription("Its value; - reads the value from standard input. Without it, shows the setting."),
  Args.optional
)

const ask = flag("ask", "Asks for the value without showing it.")

const unset = flag("unset", "Removes the setting.")

const refuse = (message: string) => new InvalidCommand({ message, hints: [] })

const sourceOf = ({ file, isFlag }: SettingSource) => (isFlag ? "command line" : (file ?? "environment"))

/** The value of a setting and its source, without secrets and rejected values. */
const stateOf = Effect.fnUntraced(function* (setting: Setting<unknown>) {
  const source = yield* (yield* SettingSources).look(setting.name)
  if (source.unreadable !== undefined)
    return { shown: "cannot be read", from: `${source.file}: ${source.unreadable}`, isSet: false }
  const text = source.value === undefined ? "" : Redacted.value(source.value)
  if (text === "") return { shown: setting.default ?? "unset", from: "", isSet: false }
  const refusal = yield* refusalOf(setting, text)
  return {
    shown: refusal === undefined ? shownValue(setting, text) : "not usable",
    from: sourceOf(source),
    isSet: true
  }
})

const list = Effect.gen(function* () {
  const width = Math.max(...allSettings.map((setting) => setting.name.length))
  for (const { name: one } of allSettings) {
    const setting = settingNamed(one)
    if (setting === undefined) continue
    const { from, isSet, shown } = yield* stateOf(setting)
    const text = withoutControls(shown)
    yield* Console.log(
      isSet
        ? `${styled("bold", one.padEnd(width))}  ${text}  ${styled("faint", from)}`
        : `${one.padEnd(width)}  ${styled("faint", from === "" ? text : `${text}  ${from}`)}`
    )
  }
})

const showOne = Effect.fnUntraced(function* (setting: Setting<unknown>) {
  const { from, isSet, shown } = yield* stateOf(setting)
  const origin = isSet || from !== "" ? `from ${from}` : setting.default === null ? "" : "the default"
  yield* Console.log(`${setting.name}: ${[withoutControls(shown), origin].filter(Boolean).join(", ")}`)
  const live = setting.live ? "A change takes effect at once." : "A change takes effect after a restart."
  for (const line of wrapped(`${setting.meaning} ${live}`, Math.min(100, columnsOf(process.stdout))))
    yield* Console.log(styled("faint", line))
})

const known = (given: string) => {
  const setting = settingNamed(given)
  if (setting !== undefined) return Effect.succeed(setting)
  const meant = meantBy(given)
  return refuse(`There is no setting ${given}.${meant === undefined ? "" : ` Did you mean ${meant}?`}`)
}

const effectOf = ({ live }: Setting<unknown>) =>
  live ? "A running service uses it at once." : "Restart the service to use it."

const write = Effect.fnUntraced(function* (setting: Setting<unknown>, text: string) {
  const reason = setting.doubt?.(text)
  if (reason !== undefined) return yield* new SettingNotUsable({ name: setting.name, reason })
  const file = yield* (yield* SettingWriter).write(setting.name, text)
  yield* Console.log(`Wrote ${setting.name} to ${file}. ${effectOf(setting)}`)
})

const remove = Effect.fnUntraced(function* (setting: Setting<unknown>) {
  const file = yield* (yield* SettingWriter).unset(setting.name)
  yield* Console.log(`Removed ${setting.name} from ${file}. ${effectOf(setting)}`)
})

const asked = Effect.fnUntraced(function* (setting: Setting<unknown>) {
  if (!canAsk())
    return yield* new CommandFailed({
      message: `There is no terminal to ask on. Pass the value on standard input: linkbower set ${setting.name} -`
    })
  const text = Redacted.value(yield* askHidden(`${setting.name} (not shown)`))
  if (text === "")
    return yield* new CommandFailed({ message: `${setting.name} was not changed: the value is empty.` })
  return text
})

export const command = Command.make("set", { ask, unset, name, value }, (given) =>
  Effect.gen(function* () {
    if (Option.isNone(given.name))
      return given.ask || given.unset ? yield* refuse("set needs NAME with --ask and --unset.") : yield* list
    const setting = yield* known(given.name.value)
    const ways = [given.ask, given.unset, Option.isSome(given.value)].filter(Boolean).length
    if (ways > 1) return yield* refuse("set takes only one of VALUE, --ask and --unset.")
    if (given.unset) return yield* remove(setting)
    if (given.ask) return yield* write(setting, yield* asked(setting))
    if (Option.isNone(given.value)) return yield* showOne(setting)
    const text = given.value.value === "-" ? Redacted.value(yield* valueFromInput) : given.value.value
    if (text === "") return yield* remove(setting)
    yield* write(setting, text)
    if (setting.secret && given.value.value !== "-")
      yield* Console.error("The value is in your shell's history. Next time, write - for VALUE or use --ask.")
  })
).pipe(
  Command.withDescription(
    "Lists settings, shows one, or writes one to the file that the service reads it from. The service may be running."
  )
)
