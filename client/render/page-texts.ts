/** The texts of the page in the language of the editor: what the core has for that, for code that may not import the core. */
export {
  localizable,
  localize,
  localized,
  setTranslations,
  type Translations,
} from '../../core/src/internal.ts'
