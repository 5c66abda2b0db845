/** The text of THIRD-PARTY-NOTICES.txt, from what was built. @throws Error if nothing was built, or if a package has no license */
export declare function notices(): string
