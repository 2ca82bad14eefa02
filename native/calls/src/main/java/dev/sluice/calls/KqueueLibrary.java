package dev.sluice.calls;

import java.util.Optional;

/**
 * The library that provides {@code kqueue} and {@code kevent}: the C library of macOS and the BSDs, or one named by a
 * system property, such as libkqueue on Linux.
 */
public final class KqueueLibrary {

    /** System property that names the file of the library. */
    public static final String PROPERTY = "sluice.kqueue.library";

    private KqueueLibrary() {
    }

    /** {@return the file of the library; empty if the C library is used} */
    public static Optional<String> file() {
        return Optional.ofNullable(System.getProperty(PROPERTY)).filter(file -> !file.isEmpty());
    }

    /** {@return whether this process has a library with these functions} */
    public static boolean isPresent() {
        return switch (Platform.CURRENT.os()) {
            case MACOS, FREEBSD, OPENBSD -> true;
            case LINUX, OTHER -> file().isPresent();
            case WINDOWS -> false;
        };
    }
}
