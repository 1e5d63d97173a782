/** How long a button says that it has copied, in milliseconds. */
const SAID = 2_000

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
    }, SAID)
  })
  block.append(button)
}

/** Puts a button that copies it on every block of code. */
export const startCopying = (): void => document.querySelectorAll<HTMLElement>(".code").forEach(addButton)
