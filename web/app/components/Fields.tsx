import type { Signal } from "@preact/signals"
import type { ComponentChildren, JSX } from "preact"
import { useId } from "preact/hooks"
import { Button } from "./Button.tsx"
import { Icon, type IconName } from "./Icon.tsx"

interface CheckBoxProps {
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
  /** Shown below the text. */
  readonly about?: ComponentChildren
  readonly children: ComponentChildren
}

/** A choice that is made or not. */
export const CheckBox = ({ about, checked, children, onChange }: CheckBoxProps) => {
  const id = useId()
  return (
    <label class="choice">
      <input
        type="checkbox"
        checked={checked}
        aria-labelledby={about === undefined ? undefined : `${id}-name`}
        aria-describedby={about === undefined ? undefined : `${id}-about`}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      {about === undefined ? (
        children
      ) : (
        <span>
          <span id={`${id}-name`}>{children}</span>
          <span id={`${id}-about`} class="hint">
            {about}
          </span>
        </span>
      )}
    </label>
  )
}

interface SwitchProps {
  readonly setting: Signal<"on" | "off">
  readonly name: string
  /** What it changes. */
  readonly children: ComponentChildren
}

/** A setting of this browser that is on or off. */
export const Switch = ({ children, name, setting }: SwitchProps) => (
  <CheckBox
    checked={setting.value === "on"}
    about={children}
    onChange={(isOn) => {
      setting.value = isOn ? "on" : "off"
    }}
  >
    {name}
  </CheckBox>
)

interface SelectProps<A> extends Pick<JSX.IntrinsicElements["select"], "aria-label" | "disabled" | "id"> {
  readonly value: A
  readonly choices: ReadonlyArray<readonly [value: A, name: string]>
  readonly onChoose: (value: A) => void
}

/** A choice of one among several; a label may stand around it. */
export const Select = <A extends string | number | null>({
  choices,
  onChoose,
  value,
  ...others
}: SelectProps<A>) => (
  <select
    class="input"
    {...others}
    value={String(value)}
    onChange={({ currentTarget }) => {
      const choice = choices[currentTarget.selectedIndex]
      if (choice !== undefined) onChoose(choice[0])
    }}
  >
    {choices.map(([one, name]) => (
      <option key={one} value={String(one)}>
        {name}
      </option>
    ))}
  </select>
)

/** A choice of one among several, below its label. */
export const SelectField = <A extends string | number | null>({
  label,
  ...others
}: SelectProps<A> & { readonly label: string }) => {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <Select id={id} {...others} />
    </div>
  )
}

interface SegmentsProps<A extends string> {
  readonly legend: string
  readonly isLegendHidden?: boolean
  readonly chosen: A
  readonly choices: ReadonlyArray<A>
  readonly names: Readonly<Record<A, string>>
  readonly icons?: Readonly<Record<A, IconName>>
  readonly onChoose: (value: A) => void
}

/** A row of choices, of which one is made. */
export const Segments = <A extends string>(props: SegmentsProps<A>) => {
  const { choices, chosen, icons, isLegendHidden = false, legend, names, onChoose } = props
  const group = useId()
  return (
    <fieldset>
      <legend class={isLegendHidden ? "visually-hidden" : undefined}>{legend}</legend>
      <div class="segments">
        {choices.map((one) => (
          <label key={one} class="segment" data-choice={one}>
            <input
              type="radio"
              name={group}
              class="visually-hidden"
              checked={one === chosen}
              onChange={() => onChoose(one)}
            />
            {icons && <Icon name={icons[one]} />}
            {names[one]}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** What `Segments` needs to change a setting. */
export const choosing = <A,>(setting: Signal<A>) => ({
  chosen: setting.value,
  onChoose: (value: A) => {
    setting.value = value
  }
})

interface TogglesProps<A> {
  readonly label: string
  readonly chosen: A
  readonly choices: ReadonlyArray<readonly [value: A, name: ComponentChildren, attributes?: object]>
  readonly onChoose: (value: A) => void
}

/** Buttons of which one is pressed, for what a list shows. */
export const Toggles = <A extends string | null>({ choices, chosen, label, onChoose }: TogglesProps<A>) => (
  <fieldset class="row" aria-label={label}>
    {choices.map(([value, name, attributes]) => (
      <Button key={value} aria-pressed={value === chosen} {...attributes} onClick={() => onChoose(value)}>
        {name}
      </Button>
    ))}
  </fieldset>
)

interface TextFieldProps
  extends Pick<JSX.IntrinsicElements["input"], "class" | "inputMode" | "placeholder" | "readOnly"> {
  readonly label: string
  readonly value: string
  readonly onValue: (value: string) => void
  readonly maxLength?: number
  /** The height of a field for several lines. */
  readonly rows?: number
  /** What the browser may fill in for a password; the field is then one. */
  readonly password?: "current-password" | "new-password"
  readonly names?: ReadonlyArray<string>
  /** Shown below the field. */
  readonly about?: string
}

/** A labelled field for text, or for a password. */
export const TextField = ({
  about,
  class: look = "input",
  label,
  names,
  onValue,
  password,
  rows,
  ...others
}: TextFieldProps) => {
  const id = useId()
  const all = {
    ...others,
    id,
    class: look,
    dir: "auto",
    onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement | HTMLTextAreaElement }) =>
      onValue(currentTarget.value)
  } as const
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {rows !== undefined ? (
        <textarea {...all} rows={rows} />
      ) : password !== undefined ? (
        <input {...all} type="password" autoComplete={password} />
      ) : (
        <input
          type="text"
          {...all}
          autoComplete="off"
          {...(names === undefined ? {} : { list: `${id}-names` })}
        />
      )}
      {names === undefined ? null : (
        <datalist id={`${id}-names`}>
          {names.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      )}
      {about === undefined ? null : <p class="hint">{about}</p>}
    </div>
  )
}
