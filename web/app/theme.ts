/** Runs before the first paint, so that a page never flashes in the wrong theme. */
try {
  const theme = localStorage.getItem("linkbower.theme")
  if (theme === "light" || theme === "dark") document.documentElement.dataset["theme"] = theme
} catch {
  // Storage may be blocked; then the system's theme is used.
}
