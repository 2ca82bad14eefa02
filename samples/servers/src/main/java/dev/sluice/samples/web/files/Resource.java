package dev.sluice.samples.web.files;

/** The result of a lookup. */
public sealed interface Resource permits FileEntry, NoFile {
}
