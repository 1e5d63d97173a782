import { nextTheme, theme } from "../state/preferences.ts"
import { IconButton } from "./Button.tsx"

const themes = {
  system: { icon: "auto", name: "Theme: system" },
  light: { icon: "sun", name: "Theme: light" },
  dark: { icon: "moon", name: "Theme: dark" }
} as const

/** Switches between the system's theme, light and dark. */
export const ThemeButton = () => {
  const { icon, name } = themes[theme.value]
  return <IconButton icon={icon} label={name} onClick={nextTheme} />
}
