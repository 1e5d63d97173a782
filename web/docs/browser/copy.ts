/** How long a button shows that it has copied, in milliseconds. */
const FEEDBACK_TIME = 2_000

const addButton = (block: HTMLElement) => {
  const code = block.querySelector("code")
  if (!code) return
  const button = document.createElement("button")
  button.type = "button"
  button.className = "copy"
  button.textContent = "Copy"
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(code.textContent)
      button.textContent = "Copied"
    } catch {
      button.textContent = "Select it to copy"
      getSelection()?.selectAllChildren(code)
    }
    setTimeout(() => {
      button.textContent = "Copy"
    }, FEEDBACK_TIME)
  })
  block.append(button)
}

/** Adds a copy button to every code block. */
export const startCopying = (): void => document.querySelectorAll<HTMLElement>(".code").forEach(addButton)
