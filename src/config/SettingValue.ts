import { type ConfigError, ConfigProvider, Effect, Either } from "effect"
import { count } from "../shared/Format.ts"
import { Setting, type SettingDeclaration } from "./Configuration.ts"

const declared: ReadonlyMap<string, Setting<unknown>> = new Map(
  Object.values<Setting<unknown>>(Setting).map((setting) => [setting.name, setting])
)

export const settingNamed = (name: string): Setting<unknown> | undefined => declared.get(name)

/** Runs an effect with some settings replaced; an empty text unsets one. Reads all others as before. */
export const withValues =
  (values: Readonly<Record<string, string>>) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.configProviderWith((current) => {
      const set = ConfigProvider.fromMap(
        new Map(Object.entries(values).filter(([, value]) => value !== ""))
      ).flattened
      const { flattened } = current
      return Effect.withConfigProvider(
        effect,
        ConfigProvider.fromFlat({
          ...flattened,
          load: (path, config, split) =>
            (Object.hasOwn(values, path.join("_")) ? set : flattened).load(path, config, split)
        })
      )
    })

/** The reason for which a setting's own `Config` rejects its value, in a sentence that does not repeat the value. */
export const reasonOf = (error: ConfigError.ConfigError): string =>
  error._op === "InvalidData" ? error.message : "It cannot be read."

/** Why a text cannot be the value of a setting, in a sentence without the text; undefined if it can be. */
export const refusalOf = (setting: Setting<unknown>, text: string): Effect.Effect<string | undefined> =>
  Effect.map(Effect.either(withValues({ [setting.name]: text })(setting.config)), (read) =>
    Either.isLeft(read) ? reasonOf(read.left) : undefined
  )

/** An address without the parts that may hold a credential: user, password, parameters and fragment. */
const withoutCredentials = (text: string) => {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return text
  const bare = `${url.username}${url.password}${url.search}${url.hash}` === ""
  return bare ? text : `${url.protocol}//…@${url.host}${url.pathname}…`
}

export const shownValue = ({ secret }: SettingDeclaration, text: string): string =>
  secret ? `set (${count([...text].length, "character")})` : withoutCredentials(text)
