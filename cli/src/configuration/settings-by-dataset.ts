/** The configuration of each dataset of a run. */
import { resolve } from 'node:path'
import type { DatasetMapping, PathSettings } from '../../../core/src/internal.ts'
import type { OptionValues } from '../arguments.ts'
import { fileNote, type Note } from '../dataset/sample-results.ts'
import { standardInput } from '../files/read-source.ts'
import { assertOneConfiguration, Configurations, type configurationOptions } from './configurations.ts'

/** Settings by dataset. */
export interface DatasetSettings {
  /** Reads the settings of the dataset at `path`; what is wrong with them. */
  readonly begin: (path: string) => Promise<readonly Note[]>
  /** The settings that were read. */
  of(path: string): Promise<PathSettings>
  /** How the columns of the conversation at `path` are called, where they are not to be recognized; undefined for standard input. */
  mappingOf(path: string | undefined): Promise<DatasetMapping | undefined>
}

/** The settings as the options say. @throws UsageError if they contradict each other */
export function datasetSettings(values: OptionValues<typeof configurationOptions>): DatasetSettings {
  assertOneConfiguration(values)
  const notes: Note[] = []
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
    mappingOf: async (path) =>
      path === undefined || path === standardInput ? undefined : (await settingsOf(path)).mapping,
    begin: async (path) => {
      await settingsOf(path)
      return notes.splice(0)
    },
  }
}
