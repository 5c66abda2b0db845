/** The configuration of each dataset of a run. */
import { resolve } from 'node:path'
import type { PathSettings } from '../../../core/src/internal.ts'
import type { OptionValues } from '../arguments.ts'
import {
  assertOneConfiguration,
  Configurations,
  type configurationOptions,
} from '../configuration/configurations.ts'
import { fileNote, type Note, type ShownStretch } from '../dataset/sample-results.ts'
import type { ReviewedDataset } from '../review/reviewed-dataset.ts'

/** A stretch, and how its samples are judged. */
export interface JudgedStretch extends ShownStretch {
  readonly settings: PathSettings
  /** What its review file says; undefined if there is none, or nothing depends on it. */
  readonly reviewed?: ReviewedDataset | undefined
}

/** Settings by dataset. */
export interface DatasetSettings {
  /** Reads the settings of the dataset at `path`; what is wrong with them. */
  readonly begin: (path: string) => Promise<readonly Note[]>
  /** The settings that were read. */
  of(path: string): Promise<PathSettings>
}

/** The settings as the options say. @throws UsageError if they contradict each other */
export function datasetSettings(values: OptionValues<typeof configurationOptions>): DatasetSettings {
  assertOneConfiguration(values)
  let notes: Note[] = []
  const configurations = new Configurations({
    file: values.config,
    isOff: values['no-config'],
    onComplaint: (problem, isError) => {
      notes.push(isError ? fileNote(problem) : { kind: 'remark', text: problem.message })
    },
  })
  const settingsOf = (path: string) => configurations.settingsFor(resolve(path))
  return {
    of: settingsOf,
    begin: async (path) => {
      notes = []
      await settingsOf(path)
      return notes
    },
  }
}
