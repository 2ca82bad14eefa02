package dev.sluice.calls.layout;

/** The systems on which a structure or constant exists. */
public enum On {
    /** On every Unix. */
    UNIX,
    /** On Linux only. */
    LINUX,
    /** On macOS, FreeBSD and OpenBSD only. */
    BSD,
    /** On Windows only. */
    WINDOWS
}
