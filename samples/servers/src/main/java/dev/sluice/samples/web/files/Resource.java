package dev.sluice.samples.web.files;

/** What a path leads to. */
public sealed interface Resource permits FileEntry, NoFile {
}
