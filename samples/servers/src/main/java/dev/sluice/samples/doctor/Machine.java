package dev.sluice.samples.doctor;

import dev.sluice.calls.Platform;
import dev.sluice.calls.Platform.Os;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Describes the operating system and the processor, without starting a program. */
public final class Machine {

    private Machine() {
    }

    /** {@return a line, in which unknown parts are missing} */
    public static String describe() {
        int processors = Runtime.getRuntime().availableProcessors();
        return Stream.of(Optional.of(release()),
                        CLibrary.current(),
                        Optional.of(processors + (processors == 1 ? " processor" : " processors")),
                        Processor.model())
                .flatMap(Optional::stream).collect(Collectors.joining(", "));
    }

    // What uname(2) calls the release is what Java calls the version, other than on macOS and Windows, where Java asks
    // for the version of the whole system.
    private static String release() {
        return (Platform.CURRENT.os() == Os.LINUX ? "kernel " : "version ") + System.getProperty("os.version");
    }
}
