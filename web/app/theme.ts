/** Runs before the first paint, so that a page never shows in the theme that was not chosen. */
try {
  const theme = localStorage.getItem("linkbower.theme")
  if (theme === "light" || theme === "dark") document.documentElement.dataset["theme"] = theme
} catch {
  // Storage may be forbidden; then the system's theme holds.
}
