package dev.sluice.samples.web.files;

/** The reason why a path leads to no file. */
public enum NoFile implements Resource {
    /** Nothing is there that may be seen: nothing at all, a special file, or one outside the root. */
    ABSENT,
    /** A directory, but the path does not end with a slash, which relative links in its index page rely on. */
    DIRECTORY,
    /** A directory in which there is no index page. */
    WITHOUT_INDEX
}
