import { nextTheme, theme } from "../state/preferences.ts"
import { Icon } from "./Icon.tsx"

const themes = {
  system: { icon: "auto", name: "Theme: system" },
  light: { icon: "sun", name: "Theme: light" },
  dark: { icon: "moon", name: "Theme: dark" }
} as const

/** Switches between the system's theme, light and dark; for strangers too, whose page loads nothing of a session. */
export const ThemeButton = () => {
  const { icon, name } = themes[theme.value]
  return (
    <button type="button" class="icon-button" title={name} onClick={nextTheme}>
      <Icon name={icon} />
      <span class="visually-hidden">{name}</span>
    </button>
  )
}
