/** @jsxImportSource preact */
import { useState } from "preact/hooks"
import type { SetUpAnswer } from "../../src/http/api/SetUpApi.ts"
import { send } from "./ask.ts"
import { Field, Form, Outcome, Submit } from "./Form.tsx"
import { useTask } from "./useTask.ts"

interface ModelStepProps {
  readonly model: SetUpAnswer["model"]
  readonly onDone: () => Promise<void>
}

type Kind = "anthropic" | "other"

const kinds: ReadonlyArray<readonly [Kind, string]> = [
  ["anthropic", "Anthropic"],
  ["other", "Another, or one on this machine"]
]

const secret = { autocomplete: "off", spellcheck: false, maxLength: 500 } as const

/** Connects a language model: it is tried with one small call before it is written. */
export const ModelStep = ({ model, onDone }: ModelStepProps) => {
  const task = useTask()
  const [kind, setKind] = useState<Kind>("anthropic")
  const [anthropicKey, setAnthropicKey] = useState("")
  const [url, setUrl] = useState("")
  const [name, setName] = useState("")
  const [key, setKey] = useState("")
  const isFilled = kind === "anthropic" ? anthropicKey.trim() !== "" : url.trim() !== ""
  const submit = () => {
    if (!isFilled) return task.refuse(kind === "anthropic" ? "Enter the key." : "Enter the address.")
    const more = key.trim() === "" ? {} : { key: key.trim() }
    const body =
      kind === "anthropic"
        ? { anthropicKey: anthropicKey.trim() }
        : { url: url.trim(), name: name.trim(), ...more }
    task.run(async (options) => {
      await send("POST", "/dashboard/api/setup/model", { ...options, body })
      setAnthropicKey("")
      setKey("")
      await onDone()
    })
  }
  const described = { describedBy: "model-outcome", isInvalid: task.problem !== "" }
  return (
    <>
      <p>
        {model.isSet
          ? `Connected to ${model.name ?? "a model"}. Another one replaces it.`
          : "A language model writes summaries and chooses tags. Without one, links are saved with what their pages say about themselves."}
      </p>
      <Form label="Model" task={task} onSubmit={submit}>
        <fieldset class="kinds">
          <legend>Provider</legend>
          {kinds.map(([value, text]) => (
            <label key={value}>
              <input
                type="radio"
                name="model-kind"
                checked={kind === value}
                onChange={() => setKind(value)}
              />
              {text}
            </label>
          ))}
        </fieldset>
        {kind === "anthropic" ? (
          <Field
            label="API key"
            value={anthropicKey}
            onValue={setAnthropicKey}
            {...described}
            input={{ ...secret, name: "anthropic-key", placeholder: "sk-ant-…" }}
          />
        ) : (
          <>
            <Field
              label="Address"
              value={url}
              onValue={setUrl}
              {...described}
              input={{
                name: "model-url",
                type: "url",
                autocomplete: "off",
                placeholder: "http://localhost:11434/v1",
                maxLength: 2_000
              }}
            />
            <Field
              label="Name of the model, if there are several"
              value={name}
              onValue={setName}
              {...described}
              input={{ ...secret, name: "model-name" }}
            />
            <Field
              label="API key, if it needs one"
              value={key}
              onValue={setKey}
              {...described}
              input={{ ...secret, name: "model-key" }}
            />
          </>
        )}
        <Submit task={task} isPrimary={!model.isSet}>
          Try it and connect
        </Submit>
        <Outcome
          id="model-outcome"
          task={task}
          hint={task.isBusy ? "Asking the model…" : "It is asked one short question first."}
        />
      </Form>
    </>
  )
}
