import { Setting, type SettingDeclaration } from "./domain/Configuration.ts"

const introduction = `# Copy this file to .env, remove the # before a setting and give it a value.
# A file in SECRETS_DIR wins over this one, and this one over the environment. An empty value counts as unset.
# Settings marked (live) are read again whenever the file changes. To change it in one step, write a new file
# beside it and rename that over it.
`

const entry = (setting: SettingDeclaration) =>
  `# ${setting.meaning}${setting.live ? " (live)" : ""}\n#${setting.name}=${setting.default ?? ""}\n`

/** The text of `.env.example`: every setting that may stand there, commented out, with its default. */
export const envExample = (settings: ReadonlyArray<SettingDeclaration>): string =>
  [introduction, ...settings.filter(({ name }) => name !== Setting.envFile.name).map(entry)].join("\n")
